-- level_in_text: the number written in a text, null where the text is not a plain
-- decimal number.
-- Source: DESIGN.md §9 (CSV cells and JevBench answers are text).
create or replace macro level_in_text(words) as
    case
        when regexp_full_match(words, '-?[0-9]+([.][0-9]+)?')
            then try_cast(words as double)
    end;
