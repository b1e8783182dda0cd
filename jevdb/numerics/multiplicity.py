"""Many tests at once: p-values that allow for how many there are."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for how many tests were made, in [0, 1].

    Parameters
    ----------
    p_values : sequence of float, shape (n_tests,)
        In [0, 1], any order.

    Returns
    -------
    list of float, shape (n_tests,)
        In the same order. Refusing where one is at most alpha keeps the chance of any
        false refusal in the family at most alpha.

    References
    ----------
    Holm (1979), Scand. J. Statist. 6, 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        scaled = (len(p_values) - rank) * p_values[place]
        largest = max(largest, min(1.0, scaled))
        adjusted[place] = largest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return p-values of which at most alpha of those at most alpha are false.

    Parameters
    ----------
    p_values : sequence of float, shape (n_tests,)
        In [0, 1], any order.

    Returns
    -------
    list of float, shape (n_tests,)
        In the same order: the false discovery rate at which each is refused.

    References
    ----------
    Benjamini and Hochberg (1995), J. R. Statist. Soc. B 57, 289-300.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03, 0.5])
    [0.04, 0.05333333333333333, 0.05333333333333333, 0.5]
    """
    count = len(p_values)
    order = sorted(range(count), key=lambda place: p_values[place], reverse=True)
    adjusted = [0.0] * count
    smallest = 1.0
    for place, index in enumerate(order):
        scaled = p_values[index] * (count / (count - place))
        smallest = min(smallest, scaled)
        adjusted[index] = smallest
    return adjusted
