"""The alternative: the report's numbers by vectorised numpy, from Parquet."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow.parquet as pq

TYPES = ("choice", "noul", "score")


def main(items_path: str, predictions_path: str) -> dict[str, np.ndarray]:
    items = pq.read_table(items_path).to_pydict()
    table = pq.read_table(predictions_path)
    place = {item: i for i, item in enumerate(items["item_id"])}
    item = np.array([place[i] for i in table["item_id"].to_pylist()])
    run = table["run_id"].combine_chunks().dictionary_encode()
    run_count, run = len(run.dictionary), run.indices.to_numpy()
    ok = np.array(table["status"].to_pylist()) == "ok"
    kind = np.array(items["type"])
    size = np.array([len(o) for o in items["options"]])
    gold = np.array([-1 if g is None else g for g in items["label_index"]])
    width = size.max()

    lists = table["probabilities"].combine_chunks()
    has = ok & lists.is_valid().to_numpy(zero_copy_only=False)
    starts = lists.offsets.to_numpy()[:-1]
    lengths = np.diff(lists.offsets.to_numpy())
    values = lists.values.to_numpy()
    p = np.zeros((len(item), width))
    for column in range(width):
        inside = lengths > column
        p[inside, column] = values[starts[inside] + column]

    rank = np.full((len(place), width), width)
    for i, (options, t) in enumerate(zip(items["options"], kind, strict=True)):
        order = range(len(options)) if t == "score" else np.argsort(np.argsort(options))
        rank[i, : len(options)] = list(order)
    confidence = p.max(axis=1)
    tied = np.where(p == confidence[:, None], rank[item], width)
    top = tied.argmin(axis=1)
    label = table["label_index"].to_numpy()
    level = table["level"].to_numpy()
    top = np.where(has, top, np.where(kind[item] == "score", level, label))
    right = ok & (top == gold[item]) & (kind[item] != "multi_select")
    wanted = [frozenset(v or ()) for v in items["labels"]]
    picked = table["labels"].to_pylist()
    many = np.flatnonzero(ok & (kind[item] == "multi_select"))
    f1 = np.zeros(len(item))
    for i in many:
        pick, want = set(picked[i] or ()), wanted[item[i]]
        right[i] = pick == want
        f1[i] = 2 * len(pick & want) / (len(pick) + len(want))

    rows = np.arange(len(item))
    one_hot = np.zeros_like(p)
    one_hot[rows[gold[item] >= 0], gold[item][gold[item] >= 0]] = 1
    brier = ((p - one_hot) ** 2).sum(axis=1)
    nll = -np.log(np.maximum((p * one_hot).sum(axis=1), 1e-15))
    gaps = np.cumsum(p - one_hot, axis=1)[:, :-1] ** 2
    inside = np.arange(width - 1)[None, :] < (size[item] - 1)[:, None]
    rps = (gaps * inside).sum(axis=1) / (size[item] - 1)
    rating = np.where(has, p @ np.arange(width), level)
    error = np.abs(rating - gold[item])
    scaled = error / (size[item] - 1)
    worst = np.maximum(gold, size - 1 - gold) / (size - 1)
    chance = (gold * (gold + 1) + (size - 1 - gold) * (size - gold)) / (
        2 * size * (size - 1)
    )
    reference = np.zeros((len(place), width))
    with_reference = np.array([r is not None for r in items["reference"]])
    for i in np.flatnonzero(with_reference):
        reference[i, : size[i]] = items["reference"][i]
    tvd = 0.5 * np.abs(p - reference[item]).sum(axis=1)

    def total(mask: np.ndarray, x: np.ndarray | None = None) -> np.ndarray:
        return np.bincount(run[mask], None if x is None else x[mask], run_count)

    def ece(mask: np.ndarray, stated: np.ndarray, true: np.ndarray) -> np.ndarray:
        place = run[mask] * 10 + np.minimum((stated[mask] * 10).astype(int), 9)
        gap = np.bincount(place, stated[mask] - true[mask], run_count * 10)
        return np.abs(gap).reshape(-1, 10).sum(axis=1) / total(mask)

    results: dict[str, np.ndarray] = {}
    modality = np.array(items["modality"])
    for row in ("overall", "text", "image"):
        in_row = (row == "overall") | (modality == row)
        here = in_row[item]
        results[f"{row} accuracy"] = total(here & right) / in_row.sum()
        results[f"{row} coverage"] = total(here & ok) / in_row.sum()
        single = here & has & (kind[item] != "multi_select")
        for name, mask in {
            "all": single,
            **{t: single & (kind[item] == t) for t in TYPES},
        }.items():
            if not mask.any():
                continue
            results[f"{row} brier {name}"] = total(mask, brier) / total(mask)
            results[f"{row} nll {name}"] = total(mask, nll) / total(mask)
            yes = name == "noul"
            stated, true = (p[:, 1], gold[item] == 1) if yes else (confidence, right)
            results[f"{row} ece {name}"] = ece(mask, stated, true)
        results[f"{row} ece pooled"] = ece(
            single & (kind[item] != "score"), confidence, right
        )
        compared = single & with_reference[item]
        results[f"{row} tvd"] = total(compared, tvd) / total(compared)
        components, calibration = [], []
        for t in TYPES:
            asked = in_row & (kind == t)
            if not asked.any():
                continue
            mask = single & (kind[item] == t)
            part = np.maximum(0, 100 * (1 - 2 * results[f"{row} ece {t}"]))
            if t == "choice":
                c = (1 / size[asked]).mean()
                accuracy = total(here & right & (kind[item] == t)) / asked.sum()
                components.append(100 * (accuracy - c) / (1 - c))
                part = (part + 100 * (1 - results[f"{row} tvd"])) / 2
            elif t == "noul":
                clear = np.where(gold[item] == 1, p[:, 1] >= 0.8, p[:, 1] <= 0.2)
                clear = np.where(has, clear, right) & ok & here & (kind[item] == t)
                components.append(100 * total(clear) / asked.sum())
            else:
                results[f"{row} rps"] = total(mask, rps) / total(mask)
                rated = here & ok & (kind[item] == t)
                results[f"{row} ordinal_mae"] = total(rated, error) / total(rated)
                lost = worst[asked].sum() - total(rated, worst[item])
                mean = (total(rated, scaled) + lost) / asked.sum()
                components.append(100 * (1 - mean / chance[asked].mean()))
                part = (part + 100 * (1 - results[f"{row} rps"])) / 2
            calibration.append(part)
        results[f"{row} intelligence"] = np.mean(components, axis=0)
        results[f"{row} calibration"] = np.mean(calibration, axis=0)
        if row != "image":
            asked = in_row & (kind == "multi_select")
            results[f"{row} f1"] = total(here, f1) / asked.sum()
    return results


if __name__ == "__main__":
    for name, numbers in main(*sys.argv[1:]).items():
        print(name, numbers.tolist())
