# SPDX-License-Identifier: MIT
"""The history of a wrong element (run --why): the threads that wrote it on the simulator, in order, and their reads
before. The place is that of the wrong element in the first copy to the host. A second run of the same case watches it."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Tuple

from ..simulator import findings
from ..simulator.run_report import Report
from . import verdict
from .verdict import Trial, Verdict

ELEMENT_BYTES = 4  # of an array; a number has its own
LARGEST_NUMBER = 8
MOST_WRITES = 6  # the last ones, which are shown
NAMED = re.compile(r"(?P<unit>element|byte) (?P<index>\d+) of .*(?:shared array|variable) '(?P<name>\w+)'(?: of \S+\(\))?$")
NUMBERED = re.compile(r"(?P<place>(?:element|byte) \d+) of .*(?P<allocation>allocation \d+)")
MADE = re.compile(r'cudaMalloc\w*\(\s*(?:\(void \*\*\)\s*)?&\s*([\w.>-]+)')


def place_of(report: Report, counted: Report) -> Tuple[int, int, str]:
    """Address, bytes and words of the wrong value. Without bytes, none were copied to the host."""
    copies: List[Mapping[str, int]] = counted.get("copies_to_host") or []
    if not copies:
        return 0, 0, ""
    first = copies[0]
    index = str((report.get("first") or {}).get("index") or "")
    numbers = [int(number) for number in re.findall(r"\d+", index)]
    if not numbers:
        size = min(first["width"], LARGEST_NUMBER)
        return first["address"], size, "the result" if first["width"] == size else "the first value that was copied back"
    row, column = numbers if len(numbers) == 2 else (0, numbers[0])
    return first["address"] + row * first["row_stride"] + column * ELEMENT_BYTES, ELEMENT_BYTES, index


def text(judged: Verdict, program: Path, simulator_folder: Path) -> List[str]:
    """The history in lines. A verdict adds the command that repeats it."""
    if judged.replay is None or judged.ending.report.get("matches") is not False:
        return ["--why tells who wrote a wrong element, and here no result is wrong."]
    options = judged.replay.options
    settings = {name: value for name, value in judged.replay.settings.items() if name != "CUDASIM_CHECK"}
    run = lambda **more: verdict.start(  # noqa: E731
        program, simulator_folder, Trial("", {**settings, **more}), options, verdict.SEARCH_LIMIT_S
    ).to_its_end()
    ending = run()
    address, size, words = place_of(ending.report, ending.counted)
    if ending.report.get("matches") is not False or not size:
        return ["--why: this case, run alone on the simulator, brings back no wrong element whose history is known."]
    ending = run(CUDASIM_HISTORY=f"{address:#x}+{size}")
    history = ending.counted.get("history")
    # Floats without arithmetic are words that tell their origin, and no numbers.
    work = ending.report.get("work") or {}
    shows_values = (work.get("unit"), work.get("operations")) != ("floats", 0)
    return lines({**history, "shows_values": shows_values}, words) if history else ["--why: the run that was to tell the history left no report."]


def lines(history: Mapping, words: str) -> List[str]:
    writes = history["writes"]
    by_kernels = [write for write in writes if write["kind"] != "call"]
    head = f"How {words} came about on the simulator, in order:"
    if not writes:
        return [head, "  Nobody wrote it: no thread, and no call of the host."]
    shown = writes[-MOST_WRITES:]
    left_out = len(writes) - len(shown) + history["writes_left_out"]
    text = [head, *([f"  ... {left_out} writes before these"] if left_out else [])]
    for write in shown:
        text += [f"  {line}" if number == 0 else f"    {line}" for number, line in enumerate(of_write(write, history))]
    if not by_kernels:
        text.append("  No thread of a kernel wrote it.")
    return text


def of_write(write: Mapping, history: Mapping) -> List[str]:
    if write["kind"] == "call":
        is_part = write["bytes"] < history["bytes"]
        return [f"{write['call']}, called on the host, wrote {write['bytes']} of its {history['bytes']} bytes" if is_part
                else f"{write['call']}, called on the host, wrote it"]  # fmt: skip
    who, others = author(write), write["threads"] - 1
    if others:
        who = f"{who}, and {others} more of its warp,"
    if write["kind"] == "refused":
        return [f"{who} was to write it, and was refused"]
    values = {name: number(value) for name, value in write["values"].items()}
    if write["kind"] == "atomic":
        text = [f"{who} made {values['after']} of {values['before']}, by {'atomics' if others else 'an atomic'}"]
    else:
        text = [f"{who} stored {values['after']}" if history["shows_values"] else f"{who} stored to it"]
    reads = write["reads"]
    if reads:
        text.append("before that, this thread had read:")
        lines, middle = [f"  {line}" for line in of_reads(reads, history)], len(reads) // 2
        if write["reads_left_out"]:
            left_out = f"  ... {write['reads_left_out']} more ..."
            text += [*once(lines[:middle]), left_out, *once(lines[middle:])]
        else:
            text += once(lines)
    if write["has_shuffles"]:
        text.append("what it got from other lanes by shuffles is not among these")
    return text


def once(lines: List[str]) -> List[str]:
    """Joins equal consecutive lines."""
    groups = [(line, len(list(equal))) for line, equal in itertools.groupby(lines)]
    return [line if count == 1 else f"{line}, {count} times" for line, count in groups]


def of_reads(reads: List[Mapping], history: Mapping) -> List[str]:
    return [
        f"{name_of(read)}{value_of(read, history)} at {findings.line_of(read).rpartition('/')[2]}, {left_by(read['author'], history)}"
        for read in reads
    ]


def value_of(read: Mapping, history: Mapping) -> str:
    return f" = {number(read['value'])}" if history["shows_values"] else ""


def number(value: str) -> str:
    return value.replace("-nan", "nan")  # the sign of a NaN has no meaning


def left_by(who: Optional[Mapping], history: Mapping) -> str:
    if who is None:
        return "which nobody had written" if history["is_complete"] else "whose author is not known"
    return f"from {who['call']}" if "call" in who else f"from {author(who)}"


def author(who: Mapping) -> str:
    """Example: "thread (3, 0) of block (1, 0) at todo.cu:17"."""
    return f"thread {index(who['thread'])} of block {index(who['block'])} at {findings.line_of(who).rpartition('/')[2]}"


def index(numbers: List[int]) -> str:
    return str(numbers[0]) if not any(numbers[1:]) else f"({', '.join(map(str, numbers[: 3 if numbers[2] else 2]))})"


def name_of(read: Mapping) -> str:
    """The name "element 3 of values", counted through all rows. It is "... of the input" where the workbook has
    allocated it, else "... of allocation 2"."""
    named, numbered = NAMED.match(read["place"]), NUMBERED.match(read["place"])
    if named and named["unit"] == "element":
        return f"element {named['index']} of {named['name']}"
    if not numbered:
        return str(read["place"])
    allocated: Dict[str, str] = read.get("allocated") or {}
    line = str(allocated.get("text") or "")
    ours = re.search(r'"(.*?)"', line) if "common/workbook/" in str(allocated.get("file")) else None
    made = MADE.search(line)
    return f"{numbered['place']} of {ours[1] if ours else made[1] if made else numbered['allocation']}"
