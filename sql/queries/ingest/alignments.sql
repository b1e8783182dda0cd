-- alignments: creates alignments, one row per key set and shape that meet in the
-- batch: where each option's value stands among the keys. Null where the label sets
-- differ, and where the keys stand in the order of the options: most files have them
-- so, and then their values are taken as they are.
-- Reads staged_rows and staged_key_sets (a batch), and shapes (the items).
-- Source: SCORING.md §2 (distribution, noul distribution, score keys).
create or replace temp table alignments as
with pairs as (
    select distinct
        staged_rows.key_set,
        staged_rows.shape
    from staged_rows
    where staged_rows.key_set is not null
),

candidates as (
    select
        pairs.key_set,
        pairs.shape,
        staged_key_sets.keys,
        shapes.options,
        shapes.type,
        list_transform(
            range(len(shapes.options)), lambda place: cast(place as varchar)
        ) as levels
    from pairs
    inner join staged_key_sets on pairs.key_set = staged_key_sets.key_set
    inner join shapes on pairs.shape = shapes.shape
),

aligned as (
    select
        key_set,
        shape,
        keys,
        case
            when len(keys) <> len(options) then null
            when type = 'score' and list_has_all(keys, levels)
                then list_transform(levels, lambda level: list_position(keys, level))
            when type = 'noul' and list_has_all(keys, ['true', 'false'])
                then
                    list_transform(
                        ['false', 'true'], lambda label: list_position(keys, label)
                    )
            when list_has_all(keys, options)
                then list_transform(options, lambda label: list_position(keys, label))
        end as positions,
        type = 'noul' and keys = ['yes'] as is_yes_alone
    from candidates
)

select
    key_set,
    shape,
    is_yes_alone,
    coalesce(positions = range(1, len(keys) + 1), false) as is_in_order,
    case when positions <> range(1, len(keys) + 1) then positions end as positions,
    case when positions is null then keys end as stray_keys
from aligned
