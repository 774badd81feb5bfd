# SPDX-License-Identifier: MIT
"""Chooses accesses of a recorded run: by line and warp, or those that waste most. Finds their counterparts in our
answer."""

from __future__ import annotations

import collections
import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..base.errors import WorkbookError
from . import access_picture
from .access_picture import Picture
from .access_trace import SHUFFLE, Event, Launch

Kind = Tuple[Path, int, str, str]  # file, line, action, memory


@dataclass(frozen=True)
class Accesses:
    """The accesses of one line, kind and array in a recorded run."""

    kind: Kind
    events: List[Event]

    @property
    def text(self) -> str:
        path, line = self.kind[:2]
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        return lines[line - 1].strip() if line <= len(lines) else ""

    @property
    def worst(self) -> Event:
        """The first of the accesses that waste most."""
        return max(self.events, key=lambda event: event.wasted_bytes)

    @property
    def wasted_bytes(self) -> int:
        return sum(event.wasted_bytes for event in self.events)

    def picture(self, block: int) -> Picture:
        worst = self.worst
        mine = [event for event in self.events if (event.launch, event.warp) == (worst.launch, worst.warp)]
        return access_picture.picture(worst, block, (mine.index(worst) + 1, len(mine)))


def by_line(launches: Sequence[Launch], warp: Optional[int] = None) -> List[Accesses]:
    """All accesses that can be shown, in the order of the files' lines. `warp`: only of this one."""
    found: Dict[Kind, List[Event]] = {}
    for launch in launches:
        for event in launch.events:
            if event.action != SHUFFLE and warp in (None, event.warp):
                found.setdefault((event.path, event.line, event.action, event.memory), []).append(event)
    return [Accesses(kind, events) for kind, events in sorted(found.items())]


def choose(listed: Sequence[Accesses], source: Path, line: Optional[int]) -> List[Accesses]:
    """The accesses of the line, or of the line of the student's file that wastes most."""
    own = [each for each in listed if each.kind[0] == source] or list(listed)
    if line is None:
        wasted: Dict[Tuple[Path, int], int] = {}
        for each in own:
            wasted[each.kind[:2]] = wasted.get(each.kind[:2], 0) + each.wasted_bytes
        often = collections.Counter(each.kind[:2] for each in own for _ in each.events)  # no access wastes anything
        path, line = max(wasted, key=lambda place: (wasted[place], often[place]))
        own = [each for each in own if each.kind[0] == path]
    chosen = [each for each in own if each.kind[1] == line]
    if not chosen:
        lines = sorted({each.kind[1] for each in own})
        raise WorkbookError(
            f"line {line} touches no memory in what was recorded; give one of {', '.join(map(str, lines))}"
        )
    return chosen


def counterpart(accesses: Accesses, others: Sequence[Accesses]) -> Optional[Accesses]:
    """The same kind of access to the same kind of memory in another program. Among several lines, the most similar one."""
    alike = [other for other in others if other.kind[2:] == accesses.kind[2:]]
    return max(alike, key=lambda other: likeness(accesses.text, other.text), default=None)


def likeness(text: str, other: str) -> float:
    return difflib.SequenceMatcher(None, text, other, autojunk=False).ratio()
