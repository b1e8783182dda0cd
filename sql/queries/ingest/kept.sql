-- kept: keeps of judged the rows whose line is not dropped: no later line of the
-- same record replaces it, and nothing is wrong with it. Reads judged_rows and dropped.
create or replace temp view judged as
select judged_rows.*
from judged_rows
anti join dropped
    on judged_rows.source_file = dropped.source
    and judged_rows.source_line = dropped.line
