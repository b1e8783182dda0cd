-- labels_text: the labels of a set as one text, in the order they have, else null.
-- Source: docs/sql.md (answers).
create or replace macro labels_text(labels) as
    array_to_string(labels, ', ');
