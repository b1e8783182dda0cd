"""The alternative: accuracy, ECE, Brier, NLL and RPS by a loop over rows in Python."""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict


def main(items_path: str, predictions_path: str) -> dict[str, dict[str, float]]:
    with open(items_path) as lines:
        items = {item["item_id"]: item for item in map(json.loads, lines)}
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    gaps: dict[str, list[float]] = defaultdict(lambda: [0.0] * 10)
    with open(predictions_path) as lines:
        for row in map(json.loads, lines):
            item, p = items[row["item_id"]], row["probabilities"]
            found = sums[row["run_id"]]
            found["items"] += 1
            if row["status"] != "ok":
                continue
            if item["type"] == "multi_select":
                found["right"] += set(row["labels"]) == set(item["labels"])
                continue
            gold = item["label_index"]
            if p is None:
                found["right"] += row["label_index"] == gold
                continue
            confidence = max(p)
            tops = [i for i, x in enumerate(p) if x == confidence]
            top = min(tops, key=lambda i: item["options"][i])
            found["right"] += top == gold
            found["n"] += 1
            gaps[row["run_id"]][min(int(confidence * 10), 9)] += confidence - (
                top == gold
            )
            found["brier"] += sum((x - (i == gold)) ** 2 for i, x in enumerate(p))
            found["nll"] += -math.log(max(p[gold], 1e-15))
            if item["type"] == "score":
                total = score = 0.0
                for i, x in enumerate(p[:-1]):
                    total += x - (i == gold)
                    score += total * total
                found["rps"] += score / (len(p) - 1)
    for run, found in sums.items():
        found["ece"] = sum(map(abs, gaps[run])) / found["n"]
    return sums


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
