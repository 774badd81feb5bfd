# SPDX-License-Identifier: MIT
"""The memory accesses of one block of a program, with the address of every lane. The simulator records them
(CUDASIM_TRACE, its report/FORMAT.md)."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from ..base import errors, scratch
from ..base.errors import WorkbookError
from ..simulator import simulator
from ..simulator.programs import Ending, Run
from . import line_profile

Place = Tuple[Path, int]  # file, line

FORMAT = 1
GLOBAL, SHARED = "global", "shared"
LOAD, STORE, ATOMIC, SHUFFLE = "load", "store", "atomic", "shuffle"
TIME_LIMIT_S = 60.0


@dataclass(frozen=True)
class Array:
    """The target of an address: an allocation, or a variable."""

    memory: str
    name: str  # of a variable
    address: int  # for shared memory, the offset in the block's
    bytes: int

    @property
    def words(self) -> str:
        if self.name:
            return f"the {'shared array' if self.memory == SHARED else 'variable'} '{self.name}'"
        return "shared memory" if self.memory == SHARED else f"the {self.bytes:,} bytes of an allocation"


@dataclass(frozen=True)
class Event:
    """One access or shuffle of a warp. Lanes and values have the same order."""

    launch: int
    path: Path
    line: int
    action: str
    memory: str  # empty: a shuffle
    bytes: int  # one for each lane
    warp: int
    step: int  # the barriers of the block that the warp had passed
    lanes: Tuple[int, ...]
    values: Tuple[int, ...]  # offsets in the array, in bytes; for a shuffle, the lanes that were read
    array: Array
    sectors: int
    wavefronts: int
    least_wavefronts: int
    counted_bytes: int  # for each lane, the bytes of the counted access, which ptxas may combine; 0: counted with another
    counted_from: int  # the start of that access, relative to this one
    chain: Tuple[Place, ...]  # from the access to the kernel, where functions are inlined
    in_rows: bool  # ldmatrix or stmatrix: each lane has the address of a row, and there is no counted request

    @property
    def counted(self) -> Event:
        """The access of the counters."""
        return replace(self, bytes=self.counted_bytes, values=tuple(value + self.counted_from for value in self.values))

    @property
    def addresses(self) -> List[int]:
        return [self.array.address + value for value in self.values]

    @property
    def used_bytes(self) -> int:
        """The number of different bytes."""
        return len({address + byte for address in self.addresses for byte in range(self.bytes)})

    @property
    def wasted_bytes(self) -> int:
        """In global memory, the bytes of sectors above the fewest sectors that can hold the data. In shared memory,
        passes of 128 bytes above the fewest. A single lane wastes nothing, because there is no smaller unit."""
        if self.memory == SHARED:
            return 128 * (self.wavefronts - self.least_wavefronts)
        return 32 * (self.sectors - (self.used_bytes + 31) // 32)


@dataclass(frozen=True)
class Launch:
    kernel: str
    grid: Sequence[int]
    block: Sequence[int]
    left_out: int
    idle: Dict[str, int]  # by action: requests of shared memory in which no lane takes part
    events: List[Event]


def place_text(chain: Sequence[Place], source: Path) -> str:
    """The innermost line that is in the student's file `source`. Where none is, the innermost one, with its file's name."""
    own = next((line for path, line in chain if path == source), None)
    return str(own) if own is not None else f"{chain[0][0].name}:{chain[0][1]}"


def record(
    program: Path, simulator_folder: Path, options: Sequence[str] = (), block: int = 0
) -> Tuple[Ending, List[Launch]]:
    """Runs the program on the simulator. Returns its launches, without accesses that are in no file of the user."""
    with scratch.folder() as folder:
        file = folder / "trace.json"
        traced = {"CUDASIM_TRACE": str(file), "CUDASIM_TRACE_BLOCK": str(block)}
        environment = {**simulator.environment(simulator_folder, ""), **traced}
        ending = Run([str(program), *options], environment, TIME_LIMIT_S).to_its_end()
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            if ending.status == errors.MATCHES:
                raise WorkbookError("the simulator recorded nothing: scripts/workbook run 1 builds it again") from error
            return ending, []
    return ending, read(found)


def read(found: Dict) -> List[Launch]:
    if found.get("format") != FORMAT:
        raise WorkbookError(
            "the simulator is of another version than this command: scripts/workbook run 1 builds it again"
        )
    return [launch(number, each) for number, each in enumerate(found["launches"])]


def launch(number: int, found: Dict) -> Launch:
    arrays = [Array(each["memory"], each["name"], each["address"], each["bytes"]) for each in found["arrays"]]
    paths = [Path(os.path.normpath(each["file"])) for each in found["instructions"]]
    users = {path for path in set(paths) if line_profile.is_users(path)}
    events = []
    for each in found["events"]:
        instruction, path = found["instructions"][each["instruction"]], paths[each["instruction"]]
        if path not in users or instruction["line"] <= 0:
            continue
        is_shuffle = instruction["action"] == SHUFFLE
        events.append(
            Event(
                number,
                path,
                instruction["line"],
                instruction["action"],
                instruction.get("memory", ""),
                instruction.get("bytes", 4),
                each["warp"],
                each["step"],
                tuple(lane for lane in range(32) if each["mask"] >> lane & 1),
                tuple(each["from" if is_shuffle else "offsets"]),
                Array("", "", 0, 0) if is_shuffle else arrays[each["array"]],
                each.get("sectors", 0),
                each.get("wavefronts", 0),
                each.get("least_wavefronts", 0),
                instruction.get("counted_bytes", instruction.get("bytes", 4)),
                instruction.get("counted_from", 0),
                chain_of(instruction) or ((path, instruction["line"]),),
                instruction.get("in_rows", False),
            )
        )
    idle = {LOAD: found["idle_loads"], STORE: found["idle_stores"]}
    return Launch(found["kernel"], found["grid"], found["block"], found["left_out"], idle, events)


def chain_of(instruction: Dict) -> Tuple[Place, ...]:
    return tuple((Path(os.path.normpath(each["file"])), each["line"]) for each in instruction.get("inlined", ()))
