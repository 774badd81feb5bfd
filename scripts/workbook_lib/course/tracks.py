# SPDX-License-Identifier: MIT
"""The tracks of the course, from stages/CMakeLists.txt: a track is the stages between its line and the next one. Within a
track the stages come in order. A learner may begin any track whose needs are met."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Collection, List, Sequence, Tuple

from ..base import errors
from . import stages
from .stages import STAGE_LINE, Stage

TRACK_LINE = re.compile(r'^\s*workbook_track\(\s*"([^"]*)"(?:\s+NEEDS\s+"([^"]*)")?\s*\)', re.MULTILINE)


@dataclass(frozen=True)
class Track:
    title: str
    stages: Tuple[Stage, ...]
    needs: Tuple[Stage, ...]  # stages of other tracks, in course order

    def missing(self, solved: Collection[Stage]) -> List[Stage]:
        """What a learner should solve before this track."""
        return [stage for stage in self.needs if stage not in solved]


def read_tracks(root: Path) -> List[Track]:
    """All stages are in one track each. Without a line for tracks, one track without a title has all."""
    listed = stages.read_stages(root)
    file = root / "stages" / "CMakeLists.txt"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    heads = list(TRACK_LINE.finditer(text))
    if not heads:
        return [Track("", tuple(listed), ())]
    names = [found.group(1) for found in STAGE_LINE.finditer(text) if found.start() < heads[0].start()]
    if names:
        raise errors.WorkbookError(f"stages/CMakeLists.txt: {names[0]} stands before the first workbook_track()")
    by_name = {stage.name: stage for stage in listed}
    found = []
    for head, end in zip(heads, [*(each.start() for each in heads[1:]), len(text)]):
        inside = [by_name[line.group(1)] for line in STAGE_LINE.finditer(text, head.end(), end)]
        needs = stages.select(listed, head.group(2).split()) if head.group(2) else []
        found.append(Track(head.group(1), tuple(inside), tuple(needs)))
    return found


def track_of(root: Path, stage: Stage) -> Track:
    return next(track for track in read_tracks(root) if stage in track.stages)


def numbers(found: Sequence[Stage]) -> str:
    """The words "3 to 5, 7" for stages in course order."""
    ranges: List[List[int]] = []
    for stage in found:
        if ranges and ranges[-1][-1] == stage.number - 1:
            ranges[-1].append(stage.number)
        else:
            ranges.append([stage.number])
    words = (f"{each[0]} to {each[-1]}" if len(each) > 2 else ", ".join(map(str, each)) for each in ranges)
    return ", ".join(words)
