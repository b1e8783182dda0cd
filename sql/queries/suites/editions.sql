-- editions: one row per edition, in the order in which they were frozen.
select
    name,
    document,
    document_sha256,
    content,
    content_sha256
from editions
order by seq
