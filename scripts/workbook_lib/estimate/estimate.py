# SPDX-License-Identifier: MIT
"""The estimate of a whole run, from the simulator's report, and its words. A bare number is never shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Union

from . import model, refusals
from .parameters import Gpu

FEWEST = 5  # measured kernels with the same limit; with fewer, no time is shown
SMALLEST_US = 8.0  # below, the time is that of launches, and it is not known better
Report = Mapping[str, object]


@dataclass(frozen=True)
class Range:
    """Eight of ten kernels like this lie between the two: 88 % of those that no fit has seen (tests/estimate)."""

    low_us: float
    high_us: float

    def overlaps(self, other: "Range") -> bool:
        return self.low_us <= other.high_us and other.low_us <= self.high_us


@dataclass(frozen=True)
class Refusal:
    reason: str


@dataclass(frozen=True)
class Whole:
    """All launches of a run."""

    gpu: Gpu
    launches: List[model.Estimate]
    host_us: float

    @property
    def time_us(self) -> float:
        """The host launches ahead of the GPU, so the slower of both sets the time."""
        return max(sum(each.time_us for each in self.launches), self.host_us)

    @property
    def limits_us(self) -> Dict[str, float]:
        """The time by the limit of each launch."""
        found: Dict[str, float] = {}
        for each in self.launches:
            found[each.limit] = found.get(each.limit, 0.0) + each.time_us
        return found if sum(found.values()) >= self.host_us else {"launch": self.host_us}

    @property
    def limit(self) -> str:
        return max(self.limits_us, key=lambda name: self.limits_us[name])

    @property
    def is_small(self) -> bool:
        return self.time_us < SMALLEST_US

    @property
    def has_time(self) -> bool:
        """Whether microseconds are shown."""
        return self.gpu.is_measured and not self.is_small and self.gpu.errors[self.limit].kernels >= FEWEST

    @property
    def range(self) -> Range:
        rows = [(time, self.gpu.errors[limit]) for limit, time in self.limits_us.items()]
        return Range(sum(time * row.low for time, row in rows), sum(time * row.high for time, row in rows))


Found = Union[Whole, Refusal]


def of_report(report: Report, gpu: Gpu) -> Found:
    reason = refusals.of_report(report, gpu)
    if reason is not None:
        return Refusal(reason)
    launches = report["launches"]
    # What comes before the first launch is the set-up, unless an event marks where the timed calls begin.
    timed = [each for each in launches if each is not launches[0] or each["timing"]["host_calls_before"].get("since_event")]
    host = len(launches) * gpu["launch_host_us"] + sum(model.calls_us(each, gpu) for each in timed)
    return Whole(gpu, [model.of_launch(each, gpu) for each in launches], host)


def digits(number: float) -> str:
    """The number with two digits: 85, 130, 1,300."""
    exponent = len(str(int(number))) - 2
    return f"{round(number, -exponent):,.0f}" if number >= 10 else f"{number:.1f}"


def microseconds(found: Range) -> str:
    low, high = found.low_us, found.high_us
    if high >= 10_000:
        return f"{digits(low / 1000)} to {digits(high / 1000)} ms"
    return f"{digits(low)} to {digits(high)} µs"


def words(found: Found, gpu: Gpu) -> str:
    """The line under a table. Without measured parameters it has no time."""
    if isinstance(found, Refusal):
        return f"no estimate for {gpu.named}: {found.reason}"
    limit = f"limited by {model.LIMITS[found.limit]}"
    if not gpu.is_measured:
        return f"estimate for {gpu.named}, whose parameters are not measured: {limit}"
    if found.is_small:
        return f"estimate for {gpu.named}: about a launch's time, not measured"
    if not found.has_time:
        return f"estimate for {gpu.named}: {limit}; no time, as too few kernels with this limit were measured"
    return (
        f"estimate for {gpu.named}: {microseconds(found.range)}, not measured; {limit}; "
        "eight of ten kernels like this lie in such a range"
    )


def ratio(before: Found, after: Found) -> Optional[str]:
    """What a step buys, in words. None: one of the two has no estimate."""
    if isinstance(before, Refusal) or isinstance(after, Refusal):
        return None
    if (before.is_small and after.is_small) or before.range.overlaps(after.range):
        return "no difference that this estimate can tell"
    is_faster = after.time_us < before.time_us
    slow, fast = (before, after) if is_faster else (after, before)
    least, most = slow.range.low_us / fast.range.high_us, slow.range.high_us / fast.range.low_us
    kind = "as fast" if is_faster else "as slow"
    return f"about {slow.time_us / fast.time_us:.2g} times {kind} ({least:.2g} to {most:.2g})"
