"""The alternative: every number of the report by plain Python over rows of dicts."""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

Item = dict[str, Any]
Row = dict[str, Any]
Number = float | None

TYPES = ("choice", "noul", "score")
REPORT_ROWS = ("overall", "text", "image")
METHODS = {"metrics-md": False, "jevbench-v1.5": True}
"""Whether a method corrects the noul component for chance."""


def mean(values: Sequence[float]) -> Number:
    return math.fsum(values) / len(values) if values else None


def present(values: Sequence[Number]) -> list[float]:
    return [value for value in values if value is not None]


def judge(item: Item, answer: dict[str, Any] | None) -> Row:
    """Return what one item adds to the metrics; a missing answer is not ok."""
    row: Row = {"item": item, "ok": answer is not None and answer["status"] == "ok"}
    row["right"] = row["clear"] = False
    gold, kind, size = item["label_index"], item["type"], len(item["options"])
    if kind == "multi_select":
        row["f1"] = 0.0
    if kind == "score":
        row["scaled"] = max(gold, size - 1 - gold) / (size - 1)
    if answer is None or not row["ok"]:
        return row
    if kind == "multi_select":
        picked, wanted = set(answer["labels"]), set(item["labels"])
        row["right"] = picked == wanted
        row["f1"] = 2 * len(picked & wanted) / (len(picked) + len(wanted))
        return row
    p = answer["probabilities"]
    if p is None:
        label = answer["level"] if kind == "score" else answer["label_index"]
        row["right"] = row["clear"] = label == gold
        if kind == "score":
            row["error"] = abs(label - gold)
            row["scaled"] = row["error"] / (size - 1)
        return row
    confidence = max(p)
    tops = [i for i, x in enumerate(p) if x == confidence]
    top = tops[0] if kind == "score" else min(tops, key=item["options"].__getitem__)
    row["confidence"], row["right"] = confidence, top == gold
    row["brier"] = sum((x - (i == gold)) ** 2 for i, x in enumerate(p))
    row["nll"] = -math.log(max(p[gold], 1e-15))
    if kind == "noul":
        row["yes"] = p[1]
        row["clear"] = p[1] >= 0.8 if gold == 1 else p[1] <= 0.2
    if item["reference"] is not None:
        gaps = zip(p, item["reference"], strict=True)
        row["tvd"] = sum(abs(x - y) for x, y in gaps) / 2
    if kind == "score":
        row["error"] = abs(sum(i * x for i, x in enumerate(p)) - gold)
        row["scaled"] = row["error"] / (size - 1)
        gap = total = 0.0
        for i, x in enumerate(p[:-1]):
            gap += x - (i == gold)
            total += gap * gap
        row["rps"] = total / (size - 1)
    return row


def ece(pairs: Sequence[tuple[float, bool]]) -> Number:
    """Return the expected calibration error of (stated, true) pairs."""
    bins = defaultdict(list)
    for stated, true in pairs:
        bins[min(int(stated * 10), 9)].append(stated - true)
    gaps = [abs(math.fsum(gap)) for gap in bins.values()]
    return math.fsum(gaps) / len(pairs) if pairs else None


def typed_metrics(rows: Sequence[Row]) -> dict[str, Number]:
    """Return the metrics of a report row that no method changes."""
    single = [row for row in rows if "confidence" in row]
    found: dict[str, Number] = {
        "coverage": mean([row["ok"] for row in rows]),
        "tvd": mean(present([row.get("tvd") for row in rows])),
        "rps": mean(present([row.get("rps") for row in rows])),
        "ordinal_mae": mean(present([row.get("error") for row in rows])),
        "multi_select_f1": mean(present([row.get("f1") for row in rows])),
    }
    of_type: dict[str, Callable[[Row], bool]] = {"all": lambda row: True}
    for kind in (*TYPES, "multi_select"):
        of_type[kind] = lambda row, kind=kind: row["item"]["type"] == kind
    for kind, chosen in of_type.items():
        found[f"accuracy {kind}"] = mean([row["right"] for row in rows if chosen(row)])
        found[f"brier {kind}"] = mean([row["brier"] for row in single if chosen(row)])
        found[f"nll {kind}"] = mean([row["nll"] for row in single if chosen(row)])
    for kind in ("all", "choice", "score"):
        chosen = of_type[kind]
        pairs = [(row["confidence"], row["right"]) for row in single if chosen(row)]
        found[f"ece {kind}"] = ece(pairs)
    noul = [row for row in single if "yes" in row]
    found["ece noul"] = ece(
        [(row["yes"], row["item"]["label_index"] == 1) for row in noul]
    )
    found["ece pooled"] = ece(
        [
            (row["confidence"], row["right"])
            for row in single
            if row["item"]["type"] != "score"
        ]
    )
    return found


def intelligence(rows: Sequence[Row], corrected: bool) -> Number:
    components = []
    for kind in TYPES:
        asked = [row for row in rows if row["item"]["type"] == kind]
        if not asked:
            continue
        if kind == "choice":
            accuracy = mean([row["right"] for row in asked]) or 0.0
            chance = mean([1 / len(row["item"]["options"]) for row in asked]) or 0.0
            components.append(100 * (accuracy - chance) / (1 - chance))
        elif kind == "noul":
            clear = mean([row["clear"] for row in asked]) or 0.0
            components.append(100 * ((clear - 0.5) / 0.5 if corrected else clear))
        else:
            error = math.fsum(row["scaled"] for row in asked)
            guess = math.fsum(chance_error(row["item"]) for row in asked)
            components.append(100 * (1 - error / guess))
    return mean(components)


def chance_error(item: Item) -> float:
    gold, levels = item["label_index"], range(len(item["options"]))
    return sum(abs(level - gold) for level in levels) / len(levels) / (len(levels) - 1)


def calibration(rows: Sequence[Row], found: dict[str, Number]) -> Number:
    components = []
    kinds = {row["item"]["type"] for row in rows}
    for kind in (kind for kind in TYPES if kind in kinds):
        parts = [found[f"ece {kind}"]]
        if kind != "noul":
            parts.append(found["tvd" if kind == "choice" else "rps"])
        if None in parts:
            return None
        points = [max(0.0, 100 * (1 - 2 * (parts[0] or 0.0)))]
        points += [100 * (1 - (part or 0.0)) for part in parts[1:]]
        components.append(math.fsum(points) / len(points))
    return mean(components)


def main(items_path: str, predictions_path: str) -> list[dict[str, object]]:
    with open(items_path) as lines:
        items = {item["item_id"]: item for item in map(json.loads, lines)}
    answers: dict[str, dict[str, Any]] = defaultdict(dict)
    with open(predictions_path) as lines:
        for answer in map(json.loads, lines):
            answers[answer["run_id"]][answer["item_id"]] = answer
    report = []
    for run_id, given in answers.items():
        judged = [judge(item, given.get(name)) for name, item in items.items()]
        for report_row in REPORT_ROWS:
            rows = [
                row
                for row in judged
                if report_row in ("overall", row["item"]["modality"])
            ]
            found = typed_metrics(rows)
            found["calibration"] = calibration(rows, found)
            for method, corrected in METHODS.items():
                value = intelligence(rows, corrected)
                report.append(
                    {
                        **{"run_id": run_id, "report_row": report_row},
                        **{"method_id": method, "intelligence": value, **found},
                    }
                )
    return report


if __name__ == "__main__":
    for line in main(*sys.argv[1:]):
        print(json.dumps(line))
