# SPDX-License-Identifier: MIT
"""The steps in which the threads of a block combine the elements of an array, in a recorded run. They are the tree of a
reduction or a scan, the pairs of a sorting network, or the lanes of a shuffle."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from .access_trace import LOAD, SHUFFLE, STORE, Event, Launch, Place

MOST_TOUCHED = 4  # elements of a thread in a step; a thread with more computes something else, from tiles for example

Key = Tuple[int, int, int]  # barriers so far, earlier steps since the last barrier, the kind of the step


@dataclass
class Update:
    """The work of one thread in a step. For a shuffle, the threads that it reads, and itself."""

    thread: int
    reads: List[int] = field(default_factory=list)
    writes: List[int] = field(default_factory=list)

    @property
    def touched(self) -> List[int]:
        return sorted({*self.reads, *self.writes})

    @property
    def combines(self) -> bool:
        return bool(self.reads) and len(self.touched) > 1


@dataclass
class Step:
    chain: Tuple[Place, ...]  # from the access to the kernel
    is_shuffle: bool
    updates: List[Update]

    @property
    def warps(self) -> int:
        return len({update.thread // 32 for update in self.updates})

    @property
    def words(self) -> str:
        """Example: "i from i, i + 4; i = 0, 8, ..., 248". Empty where threads differ."""
        bases, shapes = [], set()
        for update in self.updates:
            base = min(update.writes or update.reads)
            bases.append(base)
            sides = (update.writes, update.reads)
            shapes.add(tuple(tuple(word - base for word in sorted(set(words))) for words in sides))
        if len(shapes) > 1 and not self.is_shuffle:  # a sort with some pairs in order already
            bases = [min(update.touched) for update in self.updates]
            shapes = {(tuple(word - base for word in update.touched), ()) for base, update in zip(bases, self.updates)}
        if len(shapes) > 1:
            return self.exchange()
        writes, reads = shapes.pop()
        text = f"i from {index_text(reads)}" if writes == (0,) else index_text(writes or reads)
        return f"{text}; {'lane ' if self.is_shuffle else ''}i = {self.progression(bases)}"

    def exchange(self) -> str:
        """The text for shuffles with different distances: a butterfly, or one lane that all read."""
        pairs = [(update.writes[0], read) for update in self.updates for read in update.reads if update.writes]
        distances, sources = {write ^ read for write, read in pairs}, {read % 32 for _, read in pairs}
        if self.is_shuffle and len(distances) == 1:
            return f"i from i ^ {distances.pop()}"
        return f"all from lane {sources.pop()}" if self.is_shuffle and len(sources) == 1 else ""

    def progression(self, bases: Sequence[int]) -> str:
        if not self.is_shuffle:
            return progression(sorted(bases))
        by_warp: Dict[int, List[int]] = {}
        for base in sorted(bases):
            by_warp.setdefault(base // 32, []).append(base % 32)
        lanes = list(by_warp.values())
        return progression(lanes[0]) if all(each == lanes[0] for each in lanes) else progression(sorted(bases))


@dataclass
class Steps:
    """The steps of one launch."""

    launch: int
    array: str  # in words; empty: only shuffles
    elements: int  # the largest accessed element, plus one
    steps: List[Step]


def index_text(distances: Iterable[int]) -> str:
    return ", ".join("i" if each == 0 else f"i {'+' if each > 0 else '-'} {abs(each)}" for each in distances)


def progression(numbers: Sequence[int]) -> str:
    """The text of a list: "0 to 127", "0, 8, ..., 248", or the first ones."""
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 0
    if len(numbers) > 2 and all(b - a == step for a, b in zip(numbers, numbers[1:])):
        return f"{numbers[0]} to {numbers[-1]}" if step == 1 else f"{numbers[0]}, {numbers[1]}, ..., {numbers[-1]}"
    shown = ", ".join(map(str, numbers[:4]))
    return f"{shown}, ..." if len(numbers) > 4 else shown


def of_launches(launches: Sequence[Launch]) -> Optional[Steps]:
    """The steps of the launch with the most steps. None where no thread combines anything."""
    found = [steps for launch in launches for steps in [of_launch(launch)] if steps]
    return max(found, key=lambda steps: len(steps.steps), default=None)


def of_launch(launch: Launch) -> Optional[Steps]:
    by_array: Dict[Tuple[str, int], List[Event]] = {}
    for event in launch.events:
        if event.action in (LOAD, STORE):
            by_array.setdefault((event.memory, event.array.address), []).append(event)
    best: List[Tuple[Key, Step]] = []
    array: Optional[Event] = None
    for events in by_array.values():
        steps = of_array(events)
        if len(steps) > len(best):
            best, array = steps, events[0]
    shuffled = shuffles(launch.events)
    steps = [step for _, step in sorted(best + shuffled, key=lambda each: each[0])]
    if not steps:
        return None
    most = max(word for step in steps for update in step.updates for word in update.touched)
    number = launch.events[0].launch
    return Steps(number, array.array.words if array else "", most + 1, steps)


def of_array(events: Sequence[Event]) -> List[Tuple[Key, Step]]:
    """The steps on one array. Empty where threads do not write the combination of a few elements."""
    unit = min(event.bytes for event in events)
    updates = [each for thread in by_thread(events, unit).values() for each in thread]
    written = [update for _, _, update in updates if update.combines and update.writes]
    if not written or sum(len(update.touched) > MOST_TOUCHED for update in written) > len(written) / 2:
        return []
    steps: Dict[Key, Step] = {}
    for key, chain, update in updates:
        # Two elements that are read, and nothing is written: they are in order already, or are added in a register.
        few = len(update.touched) <= MOST_TOUCHED if update.writes else len(set(update.reads)) == 2
        if update.combines and few:
            steps.setdefault(key, Step(chain, False, [])).updates.append(update)
    return list(steps.items())


def by_thread(events: Sequence[Event], unit: int) -> Dict[int, List[Tuple[Key, Tuple[Place, ...], Update]]]:
    """The work of each thread, cut into updates: reads, and the writes after them. An update may read less than two
    elements. Then it also has the reads before the last barrier, if the thread has not written since."""
    found: Dict[int, List[Tuple[Key, Tuple[Place, ...], Update]]] = {}
    for event in events:
        for lane, offset in zip(event.lanes, event.values):
            thread, words = 32 * event.warp + lane, range(offset // unit, (offset + event.bytes) // unit)
            mine = found.setdefault(thread, [])
            last = mine[-1] if mine else None
            if last is None or last[0][0] != event.step or (event.action == LOAD and last[2].writes):
                number = last[0][1] + 1 if last and last[0][0] == event.step else 0
                last = ((event.step, number, 0), event.chain, Update(thread))
                mine.append(last)
            if event.action == LOAD:
                last[2].reads.extend(words)
                continue
            before = mine[-2] if len(mine) > 1 else None
            is_kept = before is not None and before[0][0] == event.step - 1 and not before[2].writes
            if is_kept and len(set(last[2].reads)) < 2 and not last[2].writes:
                last[2].reads.extend(before[2].reads)
                mine.remove(before)
            last[2].writes.extend(words)
            mine[-1] = (last[0], event.chain, last[2])
    return found


def shuffles(events: Sequence[Event]) -> List[Tuple[Key, Step]]:
    """The n-th shuffle of all warps since a barrier is a step. Consecutive shuffles that read the same lanes are one
    step: 8 bytes are shuffled in two halves."""
    steps: Dict[Key, Step] = {}
    last: Dict[int, Tuple[Key, Event]] = {}  # of each warp
    for event in events:
        if event.action != SHUFFLE:
            continue
        (step, number, _), before = last.get(event.warp, ((event.step, -1, 1), None))
        if step != event.step:
            number, before = -1, None
        if before is None or what(before) != what(event):
            number += 1
            mine = steps.setdefault((event.step, number, 1), Step(event.chain, True, []))
            for lane, source in zip(event.lanes, event.values):
                if source != lane:
                    first = 32 * event.warp
                    mine.updates.append(Update(first + lane, [first + source], [first + lane]))
        last[event.warp] = ((event.step, number, 1), event)
    return [(key, step) for key, step in steps.items() if step.updates]


def what(event: Event) -> Tuple[int, Tuple[int, ...], Tuple[int, ...]]:
    return event.line, event.lanes, event.values
