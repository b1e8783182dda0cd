-- scope_newest: the newest version of scoring $scoring and its digest; 0 for none.
select
    coalesce(max(version), 0) as version,
    max_by(sql_sha256, version) as sql_sha256
from scope_versions
where scoring = $scoring
