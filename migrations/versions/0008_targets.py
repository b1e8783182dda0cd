"""What levels are worth, which class is the positive one, and how methods may differ.

A check cannot be changed: the methods, a handful of rows, go into a table of their own.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

METHODS = """
    create table methods_changed (
        method_id varchar not null,
        document varchar not null,
        noul_low double not null,
        noul_high double not null,
        noul_chance_corrected boolean not null,
        choice_weight double not null,
        noul_weight double not null,
        score_weight double not null,
        bins integer not null,
        probability_floor double not null,
        tie_rule varchar not null,
        failed_rating varchar not null,
        seq bigint not null,
        {more}
        primary key (method_id),
        check (0 <= noul_low and noul_low <= noul_high and noul_high <= 1),
        check (choice_weight > 0 and noul_weight > 0 and score_weight > 0),
        check (bins between 1 and 100),
        check (probability_floor > 0 and probability_floor < 1),
        check (tie_rule in ({tie_rules})),
        check (failed_rating in ('largest_error')){checks}
    )
"""
COLUMNS = "noul_half varchar, failed_distribution varchar,"
CHECKS = """,
        check (noul_half in ('no', 'yes', 'wrong')),
        check (failed_distribution in ('left_out', 'uniform'))"""
KEPT = """
    method_id, document, noul_low, noul_high, noul_chance_corrected, choice_weight,
    noul_weight, score_weight, bins, probability_floor, tie_rule, failed_rating, seq"""


def upgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("alter table items add column level_values double[]")
    run("alter table items add column positive varchar")
    either = "'lexicographic', 'first'"
    run(METHODS.format(more=COLUMNS, tie_rules=either, checks=CHECKS))
    run(
        f"insert into methods_changed select {KEPT}, 'no', 'left_out' from methods "
        "order by rowid"
    )
    run("drop table methods")
    run("alter table methods_changed rename to methods")


def downgrade() -> None:
    run = op.get_bind().exec_driver_sql
    run("alter table items drop column positive")
    run("alter table items drop column level_values")
    run(METHODS.format(more="", tie_rules="'lexicographic'", checks=""))
    run(
        f"insert into methods_changed select {KEPT} from methods "
        "where tie_rule = 'lexicographic'"
    )
    run("drop table methods")
    run("alter table methods_changed rename to methods")
