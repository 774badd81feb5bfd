# SPDX-License-Identifier: MIT
"""The picture of one access of a warp, as rows of 32 words each. A row is one of three things: 128 bytes of global
memory, the 32 banks of shared memory in one pass, or a part of the array. A terminal and a page draw the same rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Dict, Iterable, List, Sequence, Tuple

from ..simulator.findings import short_path
from .access_trace import ATOMIC, GLOBAL, LOAD, SHARED, Event

LANES = "0123456789abcdefghijklmnopqrstuv"  # one letter for each lane
SEVERAL, WASTED, NOTHING = "+", ".", " "
WORDS = 32  # words of a row: 128 bytes, four sectors, or all banks once


@dataclass(frozen=True)
class Row:
    label: str
    cells: str  # a character for each word: its lane, a mark if only its sector is used, or nothing


@dataclass(frozen=True)
class Picture:
    """The picture of an access, for a terminal or a page."""

    file: str
    line: int
    action: str
    memory: str
    bytes: int
    counted_bytes: int  # see Event
    in_rows: bool
    launch: int  # from 1 on
    block: int
    warp: int
    time: int  # the first access of the warp at this line is 1
    times: int
    lanes: int
    sectors: int
    wavefronts: int
    least_wavefronts: int
    used_bytes: int
    array: str
    rows: List[Row]  # global: by address; shared: a row for each pass
    places: List[Row]  # shared: the array, a row for every 128 bytes with an access

    def as_json(self) -> Dict[str, object]:
        return asdict(self)

    @property
    def sentence(self) -> str:
        who = f"{self.lanes} lane{'s' if self.lanes > 1 else ''}"
        if self.memory == SHARED:
            each = f"{who}, {count(self.bytes, 'byte', 'bytes')} each"
            if self.in_rows:
                each = f"{count(self.lanes // 8, 'matrix', 'matrices')} of 8 rows: {self.lanes} rows of {self.bytes} bytes, by the lane that gives a row's address"
            if self.counted_bytes == 0:
                return f"{each}: a GPU counts no access here: it makes one of several, counted where another of them stands, or copies asynchronously"
            if self.counted_bytes != self.bytes:
                each += f", {self.counted_bytes} with the neighbours that a GPU loads or stores with them"
            least = "" if self.wavefronts == self.least_wavefronts else f", where {self.least_wavefronts} would do"
            return f"{each}: {count(self.wavefronts, 'pass', 'passes')}{least}"
        each = (
            f"{who}, {count(self.bytes, 'byte', 'bytes')} each: {count(self.sectors, 'sector', 'sectors')} of 32 bytes"
        )
        if self.action == ATOMIC:
            return f"{each}; lanes that update one word take turns, and each turn counts"
        untouched = 32 * self.sectors - self.used_bytes
        return f"{each}: {32 * self.sectors:,} bytes, of which no lane touches {untouched:,} ({untouched / (32 * self.sectors):.0%})"


def count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def letter(lanes: Sequence[int]) -> str:
    return LANES[lanes[0]] if len(lanes) == 1 else SEVERAL


def by_word(event: Event, lanes: Iterable[int] = range(32)) -> Dict[int, List[int]]:
    """The lanes of each accessed word, by its number in memory."""
    found: Dict[int, List[int]] = {}
    for lane, address in zip(event.lanes, event.addresses):
        if lane in lanes:
            for word in range(address // 4, (address + event.bytes - 1) // 4 + 1):
                found.setdefault(word, []).append(lane)
    return found


def rows_by_address(event: Event) -> List[Row]:
    """Rows of 128 bytes from the start of the memory. The label is the offset in the array."""
    words = by_word(event)
    sectors = {word // 8 for word in words} if event.memory == GLOBAL else set()
    rows = []
    for number in sorted({word // WORDS for word in words}):
        cells = []
        for word in range(number * WORDS, (number + 1) * WORDS):
            fetched = WASTED if word // 8 in sectors else NOTHING
            cells.append(letter(words[word]) if word in words else fetched)
        rows.append(Row(f"{number * WORDS * 4 - event.array.address:,}", "".join(cells)))
    return rows


def parts(event: Event) -> List[range]:
    """The lanes that shared memory serves together, by the width of an access:
    common/simulator/machine/units/count_passes.cpp."""
    size = 32 * 4 // max(event.bytes, 4)
    if event.action == LOAD and size < 32 and not event.in_rows:
        at = dict(zip(event.lanes, event.addresses))
        for bit in (1, 2):
            if all(at[lane] == at[lane ^ bit] for lane in at if lane ^ bit in at):
                size *= 2
                break
    return [range(first, first + size) for first in range(0, 32, size)]


def passes(event: Event) -> List[Row]:
    """The lanes and words of each pass over the banks. Lanes whose atomics update one word take turns, unless the
    machine only counts them. Empty where the number of passes differs from the counted one."""
    for takes_turns in (event.action == ATOMIC, False):
        rows = rows_by_pass(event.counted, takes_turns)
        if len(rows) == event.wavefronts:
            return rows
    return []


def rows_by_pass(event: Event, takes_turns: bool) -> List[Row]:
    rows: List[Row] = []
    for lanes in parts(event):
        stacks: Dict[int, List[str]] = {}
        for word, wanted in sorted(by_word(event, lanes).items()):
            turns = [LANES[lane] for lane in wanted] if takes_turns else [letter(wanted)]
            stacks.setdefault(word % WORDS, []).extend(turns)
        for height in range(max(map(len, stacks.values()), default=0)):
            cells = (stacks.get(bank, [])[height : height + 1] or [NOTHING] for bank in range(WORDS))
            rows.append(Row(f"{len(rows) + 1}", "".join(cell[0] for cell in cells)))
    return rows


def picture(event: Event, block: int, place: Tuple[int, int]) -> Picture:
    is_shared = event.memory == SHARED
    places = rows_by_address(event)
    return Picture(
        short_path(str(event.path)),
        event.line,
        event.action,
        event.memory,
        event.bytes,
        event.counted_bytes,
        event.in_rows,
        event.launch + 1,
        block,
        event.warp,
        *place,
        len(event.lanes),
        event.sectors,
        event.wavefronts,
        event.least_wavefronts,
        event.used_bytes,
        event.array.words,
        passes(event) if is_shared else places,
        places if is_shared else [],
    )
