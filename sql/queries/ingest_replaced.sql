-- ingest_replaced: keeps of judged the rows whose line no later line of the same record
-- replaces. Reads judged_rows and replaced_lines.
create or replace temp view judged as
select judged_rows.*
from judged_rows
anti join replaced_lines
    on judged_rows.source_file = replaced_lines.source
    and judged_rows.source_line = replaced_lines.line
