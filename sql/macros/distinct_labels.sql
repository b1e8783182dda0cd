-- distinct_labels: the labels of a picked set in the order of the picks, each once.
-- Source: SCORING.md §2 (multi-select: repeated labels count once).
create or replace macro distinct_labels(labels) as
    list_filter(
        labels, lambda label, place: list_position(labels, label) = place
    );
