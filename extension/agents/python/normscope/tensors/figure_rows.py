"""The statistics of a tensor, one a row."""

from __future__ import annotations

from .facts import Facts
from .notation import count, number, spark
from .rows import Figure, Row
from .words import word


def figure_rows(facts: Facts) -> list[Row]:
    """Each figure with its name; why there are none where there are none."""
    rows: list[Row] = []

    def add(name: str, text: str) -> None:
        rows.append(Row(word(name), Figure(text)))

    f = facts.figures
    if f is None:
        return [Row(word("none"), Figure(" · ".join(facts.notes)))]
    if f.finite:
        of = f"{facts.of} " if facts.of else ""
        add("mean", of + number(f.mean))
        add("standard deviation", of + number(f.deviation))
        add("smallest", of + number(f.low))
        add("largest", of + number(f.high))
        drawn = spark(f.bins)
        kept = sum(f.bins)
        shares = " ".join(f"{100 * n / kept:.0f} %" for n in f.bins) if kept else ""
        add("share of bins", f"{drawn} {shares}" if drawn else word("one value throughout"))
    if facts.floating:
        add("NaN", count(f.nan))
        add("Inf", count(f.infinite))
    add("zeros", count(f.zeros))
    if f.dead is not None:
        add("dead features", word("{0} of {1}", count(f.dead), count(f.features)))
    add("elements", count(f.total))
    add("elements read", count(f.read))
    return rows
