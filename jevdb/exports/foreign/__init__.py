"""Exports to others: Hugging Face's eval results, every_eval_ever, MLflow.

They say less than ``evaluation_results.json`` and are written from the same numbers.
Nothing in them depends on a clock: the same warehouse gives the same bytes.
"""

from __future__ import annotations

from enum import StrEnum


class Foreign(StrEnum):
    """The formats of others."""

    HF = "hf"
    EVERY_EVAL_EVER = "every-eval-ever"
    MLFLOW = "mlflow"
