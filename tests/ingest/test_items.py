"""Items and gold: what an item must be, and how gold changes."""

from __future__ import annotations

import hashlib
import json

import pytest
from small_benchmark import ITEMS

from jevdb.base.errors import ConflictError, InputError, UnknownNameError, UsageError
from jevdb.base.wording import for_shell
from jevdb.ingest import ItemsOptions, ingest_items
from jevdb.ingest.reading_options import reading_options

CHOICE = {"item_id": "q", "type": "choice", "options": ["a", "b"], "gold": "a"}
NOUL = {"item_id": "q", "type": "noul", "gold": "yes"}
NOUL_TOO = {"item_id": "r", "type": "noul", "gold": "yes"}
SCORE = {"item_id": "q", "type": "score", "options": ["low", "mid", "top"], "gold": 1}
SEVERAL = {"item_id": "q", "type": "multi_select", "options": ["a", "b"], "gold": ["a"]}


def without(item, key):
    return {name: value for name, value in item.items() if name != key}


FAULTS = {
    "gold_outside": (
        CHOICE | {"gold": "c"},
        "$.gold",
        "'c' is not among the options: 'a', 'b'",
    ),
    "gold_not_trimmed": (CHOICE | {"gold": "a "}, "$.gold", "'a ' is not among"),
    "gold_bool_of_choice": (CHOICE | {"gold": True}, "$.gold", "expected an option"),
    "gold_number_of_choice": (CHOICE | {"gold": 0}, "$.gold", "expected an option"),
    "gold_of_noul": (NOUL | {"gold": "maybe"}, "$.gold", "'maybe' is not among"),
    "level_outside": (SCORE | {"gold": 3}, "$.gold", "level 3 is outside 0..2"),
    "level_below": (SCORE | {"gold": -1}, "$.gold", "level -1 is outside 0..2"),
    "level_as_string": (SCORE | {"gold": "1"}, "$.gold", "expected the level's number"),
    "level_as_bool": (SCORE | {"gold": True}, "$.gold", "got true"),
    "level_as_fraction": (
        SCORE | {"gold": 1.5},
        "$.gold",
        "expected true or false or a whole number",
    ),
    "set_as_string": (SEVERAL | {"gold": "a"}, "$.gold", "expected a list of options"),
    "set_outside": (SEVERAL | {"gold": ["a", "c"]}, "$.gold[1]", "'c' is not among"),
    "no_gold": (without(CHOICE, "gold"), "$.gold", "missing"),
    "one_option": (
        CHOICE | {"options": ["a"]},
        "$.options",
        "1 option; an item needs two or more",
    ),
    "no_option": (CHOICE | {"options": []}, "$.options", "0 options"),
    "options_left_out": (without(CHOICE, "options"), "$.options", "missing"),
    "level_names_left_out": (without(SCORE, "options"), "$.options", "missing"),
    "option_twice": (CHOICE | {"options": ["a", "a"]}, "$.options", "'a' stands there"),
    "too_many_options": (
        CHOICE | {"options": [str(i) for i in range(1001)], "gold": "1"},
        "$.options",
        "1000 is the most",
    ),
    "noul_options": (NOUL | {"options": ["yes", "no"]}, "$.options", "a noul item has"),
    "levels_in_other_order": (
        SCORE | {"options": ["0", "2", "1"]},
        "$.options",
        "level numbers in another order",
    ),
    "type": (
        CHOICE | {"type": "essay"},
        "$.type",
        "expected 'choice', 'noul', 'score' or 'multi_select', got the string",
    ),
    "tier": (CHOICE | {"tier": "expert"}, "$.tier", "expected 'easy', 'standard'"),
    "modality": (CHOICE | {"modality": "audio"}, "$.modality", "expected 'text'"),
    "reference_sum": (
        CHOICE | {"gold_distribution": [0.5, 0.499]},
        "$.gold_distribution",
        "sums to 0.999, not to 1 within 1e-6",
    ),
    "reference_range": (
        CHOICE | {"gold_distribution": [1.5, -0.5]},
        "$.gold_distribution",
        "1.5 for 'a' is outside [0, 1]",
    ),
    "reference_key": (
        CHOICE | {"gold_distribution": {"a": 0.5, "c": 0.5}},
        "$.gold_distribution.c",
        "not among the options",
    ),
    "reference_key_left_out": (
        CHOICE | {"gold_distribution": {"a": 1.0}},
        "$.gold_distribution",
        "nothing for option 'b'",
    ),
    "reference_length": (
        CHOICE | {"gold_distribution": [1.0]},
        "$.gold_distribution",
        "1 value for 2 options",
    ),
    "reference_of_set": (
        SEVERAL | {"gold_distribution": [0.5, 0.5]},
        "$.gold_distribution",
        "a multi-select item takes none",
    ),
    "values_of_a_choice": (
        CHOICE | {"values": [0, 1]},
        "$.values",
        "a choice item takes none",
    ),
    "values_that_do_not_rise": (
        SCORE | {"values": [0, 2, 2]},
        "$.values",
        "is not above 2.0; give one value a level",
    ),
    "values_too_few": (SCORE | {"values": [0, 1]}, "$.values", "2 values for 3 levels"),
    "values_beyond": (SCORE | {"values": [0, 1, 1e10]}, "$.values", "beyond 1e+09"),
    "positive": (
        CHOICE | {"positive": "c"},
        "$.positive",
        "'c' is not among the options",
    ),
    "positive_of_a_set": (
        SEVERAL | {"positive": "a"},
        "$.positive",
        "a multi-select item takes none",
    ),
    "unknown_key": (
        CHOICE | {"golden": "a"},
        "$.golden",
        "keep it with reading={'meta': 'golden'}",
    ),
}


NUMBERED = SCORE | {"options": ["1", "2", "3"], "gold": 2}
SHARES = NOUL | {"gold_distribution": [0.25, 0.75]}
REMEDIES = {
    "number_that_may_be_a_name": (
        NUMBERED,
        "$.gold",
        "--levels from=1 or --levels from=0 or --levels names reads it",
    ),
    "number_above_the_places": (
        NUMBERED | {"gold": 3},
        "$.gold",
        "--levels from=1 or --levels names reads it",
    ),
    "name_as_text": (NUMBERED | {"gold": "3"}, "$.gold", "--levels names reads it"),
    "list_for_yes_or_no": (SHARES, "$.gold_distribution", "--noul-order yes,no or"),
    "percent": (
        CHOICE | {"gold_distribution": [60, 40]},
        "$.gold_distribution",
        "--scale percent reads it, --sum rescale divides by the sum",
    ),
    "votes": (
        CHOICE | {"gold_distribution": [3, 2]},
        "$.gold_distribution",
        "[0, 1]; --sum rescale divides by the sum",
    ),
    "keys_from_1": (
        SCORE | {"gold_distribution": {"1": 0.5, "2": 0.25, "3": 0.25}},
        "$.gold_distribution",
        "--levels from=1 reads them",
    ),
}


@pytest.mark.parametrize(("item", "field", "remedy"), REMEDIES.values(), ids=REMEDIES)
def test_what_an_item_may_mean_is_asked(warehouse, write, item, field, remedy):
    with pytest.raises(InputError) as error:
        ingest_items(warehouse, [write([item])], ItemsOptions("b"))
    (problem,) = error.value.raised
    assert (problem.line, problem.field) == (1, field)
    assert remedy in for_shell(problem.message)


def test_no_option_is_offered_that_reads_nothing(warehouse, write):
    """Options that are letters are read by label, whatever the style."""
    item = CHOICE | {"options": ["x", "y"], "gold": "B"}
    with pytest.raises(InputError, match=r"'B' is not among the options: 'x', 'y'$"):
        ingest_items(warehouse, [write([item])], ItemsOptions("b"))


@pytest.mark.parametrize(
    ("item", "said", "column", "expected"),
    [
        (NUMBERED, {"levels": "from=0"}, "label_index", 2),
        (NUMBERED, {"levels": "from=1"}, "label_index", 1),
        (NUMBERED, {"levels": "names"}, "label_index", 1),
        (SHARES, {"noul_order": "no,yes"}, "reference", [0.25, 0.75]),
        (SHARES, {"noul_order": "yes,no"}, "reference", [0.75, 0.25]),
        (SHARES | {"options": ["no", "yes"]}, {}, "reference", [0.25, 0.75]),
    ],
    ids=str,
)
def test_what_was_said_is_stored(warehouse, write, item, said, column, expected):
    options = ItemsOptions("b", reading=reading_options(said))
    ingest_items(warehouse, [write([item])], options)
    found = warehouse.execute(f"select {column} from golds").fetchall()
    assert found == [(expected,)]


def test_a_level_0_tells_that_numbers_count_from_it(warehouse, write):
    """No level is called 0 and none counted from 1 has it: 2 is the third."""
    lowest = NUMBERED | {"item_id": "r", "gold": 0}
    ingest_items(warehouse, [write([NUMBERED, lowest])], ItemsOptions("b"))
    found = warehouse.execute("select label_index from golds order by 1").fetchall()
    assert found == [(0,), (2,)]


def test_options_and_an_order_that_say_otherwise(warehouse, write):
    item = SHARES | {"options": ["no", "yes"]}
    options = ItemsOptions("b", reading=reading_options({"noul_order": "yes,no"}))
    with pytest.raises(InputError, match="options say that no comes first"):
        ingest_items(warehouse, [write([item])], options)


def test_a_tier_stands_for_one_that_there_is():
    with pytest.raises(UsageError, match=r"'eazy' is none of .* did you mean 'easy'"):
        reading_options({"tier": ["trivial=eazy"]})


@pytest.mark.parametrize(("item", "field", "message"), FAULTS.values(), ids=FAULTS)
def test_faults(warehouse, write, item, field, message):
    with pytest.raises(InputError) as refused:
        ingest_items(warehouse, [write([NOUL | {"item_id": "n"}, item])], OPTIONS)
    problem = refused.value.problems[0]
    assert (problem.line, problem.field) == (2, field)
    assert message in problem.message
    assert warehouse.execute("select count(*) from items").fetchall() == [(0,)]


def test_all_faults_of_an_item_are_listed(warehouse, write):
    item = CHOICE | {"gold": "c", "gold_distribution": [1.0]}
    with pytest.raises(InputError) as refused:
        ingest_items(warehouse, [write([item])], OPTIONS)
    fields = [problem.field for problem in refused.value.problems]
    assert fields == ["$.gold", "$.gold_distribution"]


OPTIONS = ItemsOptions("own")


def golds(connection):
    return connection.execute(
        "select item_id, options, gold_index, gold_labels, reference from golden_items "
        "order by item_id"
    ).fetchall()


def test_what_is_stored(warehouse, write):
    items = [
        CHOICE
        | {"item_id": "c", "gold": "b", "gold_distribution": {"b": 0.75, "a": 0.25}},
        NOUL | {"item_id": "n", "gold": False, "gold_distribution": {"yes": 0.25}},
        SCORE | {"item_id": "s", "gold_distribution": {"2": 0.5, "0": 0.25, "1": 0.25}},
        SCORE | {"item_id": "t", "gold_distribution": {"top": 1, "low": 0, "mid": 0}},
        SEVERAL | {"item_id": "v", "gold": ["b", "a", "b"]},
        SEVERAL | {"item_id": "w", "gold": []},
    ]
    summary = ingest_items(warehouse, [write(items)], OPTIONS)
    assert (summary.new, summary.is_created, summary.scoring) == (6, True, "generic")
    levels = ["low", "mid", "top"]
    assert golds(warehouse) == [
        ("c", ["a", "b"], 1, None, [0.25, 0.75]),
        ("n", ["no", "yes"], 0, None, [0.75, 0.25]),
        ("s", levels, 1, None, [0.25, 0.25, 0.5]),
        ("t", levels, 1, None, [0.0, 0.0, 1.0]),
        ("v", ["a", "b"], None, ["a", "b"], None),
        ("w", ["a", "b"], None, [], None),
    ]


def test_a_reference_within_a_millionth_is_used_as_given(warehouse, write):
    item = CHOICE | {"gold_distribution": [0.5, 0.500001]}
    ingest_items(warehouse, [write([item])], OPTIONS)
    assert golds(warehouse)[0][4] == [0.5, 0.500001]


def test_items_in_cells(warehouse, write):
    lines = [
        "item_id,type,options,gold,tier,meta",
        'c,choice,"[""a"",""b""]",b,easy,"{""k"":1}"',
        "n,noul,,true,,",
        's,score,"[""low"",""top""]",1,,',
        'm,multi_select,"[""a"",""b""]","[""b""]",,',
    ]
    ingest_items(warehouse, [write(lines, "items.csv")], OPTIONS)
    assert [row[2:4] for row in golds(warehouse)] == [
        (1, None),
        (None, ["b"]),
        (1, None),
        (1, None),
    ]


def test_an_item_twice(warehouse, write):
    same = [CHOICE, json.dumps(CHOICE, indent=None, sort_keys=True)]
    assert ingest_items(warehouse, [write(same)], OPTIONS).new == 1
    with pytest.raises(
        InputError, match=r"rows\.jsonl:2: .*'q' stands otherwise in line 1"
    ):
        ingest_items(warehouse, [write([CHOICE, CHOICE | {"gold": "b"}])], OPTIONS)


def test_the_same_items_change_nothing(warehouse, write):
    ingest_items(warehouse, [write(ITEMS)], OPTIONS)
    again = ingest_items(warehouse, [write(ITEMS[::-1][:3])], OPTIONS)
    assert (again.outcome, again.same, again.gold_revision) == ("already_there", 3, 1)
    assert warehouse.execute("select max(seq) from ingests").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "change",
    [
        {"options": ["a", "b", "c"]},
        {"options": ["b", "a"]},
        {"type": "multi_select", "gold": ["a"]},
        {"tier": "easy"},
        {"family": "f"},
        {"domain": "d"},
        {"modality": "image"},
        {"meta": {"k": 1}},
    ],
    ids=lambda change: next(iter(change)),
)
@pytest.mark.parametrize("revise", [{}, {"revise": True, "reason": "why not"}])
def test_an_item_keeps_its_content(warehouse, write, change, revise):
    ingest_items(warehouse, [write([CHOICE])], OPTIONS)
    with pytest.raises(
        ConflictError, match="item 'q' of 'own': stored with other content"
    ):
        ingest_items(
            warehouse, [write([CHOICE | change])], ItemsOptions("own", **revise)
        )


CHANGED_GOLD = [
    CHOICE | {"gold": "b"},
    CHOICE | {"gold_distribution": [0.5, 0.5]},
    SEVERAL | {"item_id": "v", "gold": ["b"]},
]


@pytest.mark.parametrize("changed", CHANGED_GOLD)
def test_gold_changes_by_revision_only(warehouse, write, changed):
    others = [SEVERAL | {"item_id": "v"}, NOUL | {"item_id": "n"}]
    ingest_items(warehouse, [write([CHOICE, *others])], OPTIONS)
    path = write([changed, others[1]])
    with pytest.raises(ConflictError, match=f"'{changed['item_id']}'.*revise"):
        ingest_items(warehouse, [path], OPTIONS)
    revise = ItemsOptions("own", revise=True, reason="a wrong label")
    summary = ingest_items(warehouse, [path], revise)
    assert (summary.changed, summary.same, summary.gold_revision) == (1, 1, 2)
    # Only the change is stored, and all else is seen through it.
    assert warehouse.execute(
        "select gold_revision, count(*) from golds group by 1 order by 1"
    ).fetchall() == [(1, 3), (2, 1)]
    assert len(golds(warehouse)) == 3
    assert warehouse.execute(
        "select gold_revision, reason from gold_revisions order by 1"
    ).fetchall() == [(1, None), (2, "a wrong label")]
    assert ingest_items(warehouse, [path], revise).outcome == "already_there"


def test_new_items_join_the_revision_until_there_are_runs(warehouse, write):
    ingest_items(warehouse, [write([CHOICE])], OPTIONS)
    more = ingest_items(warehouse, [write([NOUL | {"item_id": "n"}])], OPTIONS)
    assert (more.new, more.gold_revision, more.is_created) == (1, 1, False)


def test_new_items_need_a_revision_once_there_are_runs(ingest, bench, write):
    ingest([{"item_id": "c1", "answer": "a"}])
    path = write([CHOICE])
    with pytest.raises(ConflictError, match=r"item 'q' not in 'b' yet, which has runs"):
        ingest_items(bench, [path], ItemsOptions("b"))
    summary = ingest_items(
        bench, [path], ItemsOptions("b", revise=True, reason="one more")
    )
    assert (summary.new, summary.gold_revision) == (1, 2)


@pytest.mark.parametrize("options", [{"revise": True}, {"reason": "x"}])
def test_revision_and_reason_go_together(warehouse, write, options):
    with pytest.raises(UsageError, match="reason"):
        ingest_items(warehouse, [write([CHOICE])], ItemsOptions("own", **options))


def test_scorings_are_known_ones(warehouse, write):
    with pytest.raises(UnknownNameError, match="did you mean 'jevbench'"):
        ingest_items(warehouse, [write([CHOICE])], ItemsOptions("own", "jevbnch"))
    assert warehouse.execute(
        "select count(*) from benchmarks where benchmark_id = 'own'"
    ).fetchall() == [(0,)]


def test_the_scoring_of_a_benchmark_stays(warehouse, write):
    ingest_items(warehouse, [write([CHOICE])], OPTIONS)
    with pytest.raises(
        ConflictError, match="is scored as 'generic', not as 'cmdb-1500'"
    ):
        ingest_items(warehouse, [write([CHOICE])], ItemsOptions("own", "cmdb-1500"))


@pytest.mark.parametrize(
    ("scoring", "item", "field"),
    [("jevbench", CHOICE, "$.tier"), ("decision-bench", NOUL, "$.type")],
)
def test_what_a_scoring_asks_of_every_item(warehouse, write, scoring, item, field):
    with pytest.raises(InputError) as refused:
        ingest_items(warehouse, [write([item])], ItemsOptions("own", scoring))
    assert refused.value.problems[0].field == field


def test_a_new_benchmark_names_near_ones(warehouse, write):
    summary = ingest_items(warehouse, [write([CHOICE])], ItemsOptions("cmdb-1501"))
    assert summary.near_benchmarks == ["cmdb-1500"]


def test_the_ledger_holds_a_digest_of_what_was_stored(warehouse, write):
    ingest_items(warehouse, [write(ITEMS)], OPTIONS)
    digests = warehouse.execute(
        "select content_sha256 from ingests where kind = 'items'"
    ).fetchall()
    assert (
        digests
        == warehouse.execute(
            """
        select digest_of(item_digest(
            item_id, type, modality, tier, family, domain, options, items.meta,
            label_index, labels, reference, "group", level_values, positive
        ), item_id)
        from items
        inner join golds using (benchmark_id, item_id)
        """
        ).fetchall()
    )


@pytest.mark.parametrize("group", ["passage 7", "", "é"])
def test_a_group_is_stored_as_it_is(warehouse, write, group):
    ingest_items(warehouse, [write([CHOICE | {"group": group}, NOUL_TOO])], OPTIONS)
    rows = warehouse.execute(
        'select item_id, "group" from golden_items where benchmark_id = $id',
        {"id": OPTIONS.benchmark_id},
    ).fetchall()
    assert sorted(rows) == [("q", group), ("r", None)]


def test_values_and_a_positive_class_are_stored_as_they_are(warehouse, write):
    valued = SCORE | {"item_id": "s", "values": [0, 1, 5.5]}
    ingest_items(warehouse, [write([CHOICE | {"positive": "b"}, valued])], OPTIONS)
    rows = warehouse.execute(
        "select item_id, level_values, positive from golden_items "
        "where benchmark_id = $id order by item_id",
        {"id": OPTIONS.benchmark_id},
    ).fetchall()
    assert rows == [("q", None, "b"), ("s", [0.0, 1.0, 5.5], None)]


@pytest.mark.parametrize("other", [{"values": [0, 1, 3]}, {"positive": "mid"}])
def test_other_values_are_another_item(warehouse, write, other):
    valued = SCORE | {"values": [0, 1, 2]}
    ingest_items(warehouse, [write([valued])], OPTIONS)
    with pytest.raises(ConflictError):
        ingest_items(warehouse, [write([valued | other])], OPTIONS)


def test_another_group_is_another_item(warehouse, write):
    ingest_items(warehouse, [write([CHOICE | {"group": "a"}])], OPTIONS)
    with pytest.raises(ConflictError):
        ingest_items(warehouse, [write([CHOICE | {"group": "b"}])], OPTIONS)


def test_a_group_is_a_text(warehouse, write):
    with pytest.raises(InputError) as refused:
        ingest_items(warehouse, [write([CHOICE | {"group": 7}])], OPTIONS)
    [problem] = refused.value.problems
    assert problem.field == "$.group"


def test_items_without_a_group_have_the_digest_they_had(warehouse):
    """The JSON array of eleven columns, as before there were groups."""
    arguments = "'q', 'noul', 'text', null, null, null, ['no'], null, 1, null, null"
    [[digest]] = warehouse.execute(
        f"select item_digest({arguments}, null, null, null)"
    ).fetchall()
    [[grouped]] = warehouse.execute(
        f"select item_digest({arguments}, 'g', null, null)"
    ).fetchall()
    text = '["q","noul","text",null,null,null,["no"],null,1,null,null]'
    assert digest == hashlib.sha256(text.encode()).hexdigest()
    text = '["q","noul","text",null,null,null,["no"],null,1,null,null,"g"]'
    assert grouped == hashlib.sha256(text.encode()).hexdigest()
