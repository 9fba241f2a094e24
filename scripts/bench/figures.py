"""Series of measurements as medians and 95th percentiles, and tables of them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Series:
    """Seconds of the same thing done again and again."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def p95(self) -> float:
        return sorted(self.seconds)[min(len(self.seconds) - 1, int(0.95 * len(self.seconds)))]

    def __str__(self) -> str:
        return f"{milliseconds(self.median)} / {milliseconds(self.p95)}" if self.seconds else "-"


NOTHING = Series(())


def milliseconds(seconds: float) -> str:
    value = 1000 * seconds
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they need to be; the first one stands left, all others right."""
    widths = [max(len(row[index]) for row in (head, *rows)) for index in range(len(head))]

    def line(row: Sequence[str]) -> str:
        first, *others = row
        return "  ".join(
            (first.ljust(widths[0]), *(each.rjust(width) for each, width in zip(others, widths[1:], strict=True)))
        )

    return "\n".join((f"\n{title}", line(head), "  ".join("-" * width for width in widths), *map(line, rows)))
