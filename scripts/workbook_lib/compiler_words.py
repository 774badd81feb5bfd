# SPDX-License-Identifier: MIT
"""What the compiler said, for who has not met its templates yet: the errors in the student's file first, without the
notes on what else could have been meant, and a sentence for the commonest of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import List, Optional, Set

KINDS = r"(?:fatal |catastrophic )?error|warning|note"
HEAD = re.compile(rf"^(?P<file>[^\s(:]+)[(:](?P<line>\d+)\)?(?::\d+)?: (?P<kind>{KINDS})\b")
NOISE = re.compile(r"^Remark: |^\d+ errors? detected in the compilation of |^$")
EXPANDED = "::workbook::check_cuda("  # CUDA_CHECK, as the compiler shows it
QUOTED = re.compile(r'"[^"]*"')
HOST_CALL = re.compile(r'error: calling a __host__ function\("(?P<name>[^"]+)"\)')
UNDEFINED = re.compile(r'error: identifier "(?P<name>[^"]+)" is undefined in device code')
TEMPLATE = re.compile(r"<[^<>]*>|\(.*")
PLACE_IN_A_NOTE = re.compile(r'at line \d+ of "?stages/[^"\s]+')
INSTANTIATED = "\n          detected during"  # a template, for some types
ADVICE = (
    (
        'no instance of overloaded function "cudaMalloc"',
        "cudaMalloc stores an address in your pointer, so it takes the pointer's own address, and then a number of "
        "bytes: cudaMalloc(&pointer, bytes)",
    ),
    (
        r'argument of type "void" is incompatible with parameter of type "cudaError_t"[^\0]*<<<',
        "a launch returns nothing that CUDA_CHECK could look at: launch in a statement of its own, and write "
        "CUDA_CHECK(cudaGetLastError()); behind it",
    ),
    (
        r"error: calling a (constexpr )?__host__ function",
        "a kernel can call only what is compiled for the device too: put __device__ before a function of your own, and "
        "take CUDA's own min instead of std::min, for example. You do not need a flag for it",
    ),
    (
        r'function "lambda [^\n]*->cudaError_t" cannot be called with the given argument list',
        "cudaLaunchKernelEx got other arguments than the kernel has parameters: those of the kernel stand behind "
        "lambda [], those that it got behind 'argument types are'",
    ),
    (
        'no instance of overloaded function "atomicAdd"',
        "atomicAdd takes the address of the number to add to, and a value of the same type: atomicAdd(pointer, value)",
    ),
    (
        r'identifier "__shfl(_down|_up|_xor)?" is undefined|no instance of overloaded function "__shfl\w*"',
        "the shuffles' names end in _sync, and the mask comes first: __shfl_down_sync(mask, value, distance)",
    ),
    (r'error: expected a ";"', "is it missing at the end of the line before?"),
    (
        "a variable length array cannot have static storage duration",
        "the compiler has to know the size of a __shared__ array: take a constant, the most that a block can need",
    ),
    (
        r'no instance of overloaded function "(std::)?swap"[^\n]*\n[^\n]*\bconst\b *[,)]',
        "swap changes both of its arguments, and one of these is const (so is a member of a const object, as "
        "workspace is): swap two variables of your own",
    ),
    (
        "a host function call cannot be configured",
        "only a kernel can be launched with <<<...>>>: does the function begin with __global__?",
    ),
    (
        r'incomplete type "[^"]*\[\]" is not allowed',
        "only an array of extern __shared__ may go without a size (the launch gives it): is extern missing?",
    ),
    (
        "no instance of function template",
        "does the call give the template's arguments, constants, as in name<8><<<blocks, threads>>>(...), and do the "
        "types of the other arguments fit?",
    ),
)


def shortened(message: str, root: Path) -> str:
    """All errors of a failed build, those in stages/ first."""
    blocks = blocks_of(message)
    kept: List[str] = []
    for block in told_once(blocks):
        place = PLACE_IN_A_NOTE.search(block)
        if not is_foreign_note(block):
            kept.append(block)
        elif kept and place and "stages/" not in kept[-1]:
            kept[-1] += f"\n          {place[0]}"  # where the student comes in
    kept.sort(key=lambda block: not (block.startswith("stages/") and kind(block) not in ("warning", "note")))
    return "\n".join(with_advice(block, root) for block in kept)


def blocks_of(message: str) -> List[str]:
    """What is said of one place each, with the lines below it; a note on a place here belongs to what it is on."""
    blocks: List[List[str]] = []
    for line in message.splitlines():
        if NOISE.match(line):
            continue
        head = HEAD.match(line)
        if blocks and (line[:1].isspace() or (head and head["kind"] == "note" and not line.startswith("/"))):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return ["\n".join(block) for block in blocks]


def told_once(blocks: List[str]) -> List[str]:
    """Without the errors that a template has for further types: of the same line, in the same words but for names; and
    without what only follows from a call of a function of the host's."""
    told: Set[str] = set()
    called = ""  # the host's functions
    kept: List[str] = []
    for block in blocks:
        call, undefined = HOST_CALL.search(block), UNDEFINED.search(block)
        called += call["name"] if call else ""
        error = TEMPLATE.sub("", call["name"]) if call else QUOTED.sub("", block.splitlines()[0])
        is_again = (call or INSTANTIATED in block) and error in told
        if not is_again and not (undefined and f"{undefined['name']}(" in called):
            kept.append(block)
        told.add(error)
    return kept


def kind(block: str) -> Optional[str]:
    head = HEAD.match(block)
    return head["kind"] if head else None


def is_foreign_note(block: str) -> bool:
    """On the toolkit's or the compiler's own headers."""
    return kind(block) == "note" and block.startswith("/")


def with_advice(block: str, root: Path) -> str:
    advice = next((words for pattern, words in ADVICE if kind(block) == "error" and re.search(pattern, block)), None)
    lines = unexpanded(block, root)
    return "\n".join([*lines, f"    -> {advice}"] if advice else lines)


def unexpanded(block: str, root: Path) -> List[str]:
    """The lines of a block; that in which a macro stands written out, and the mark below it, become the line that the
    student wrote."""
    lines = block.splitlines()
    at = next((index for index, line in enumerate(lines) if line.lstrip().startswith(EXPANDED)), None)
    head = HEAD.match(block)
    if at is None or head is None:
        return lines
    try:
        source = (root / head["file"]).read_text(encoding="utf-8", errors="replace").splitlines()
        written = source[int(head["line"]) - 1]
    except (OSError, IndexError):
        return lines
    has_mark = at + 1 < len(lines) and lines[at + 1].strip() == "^"
    return [*lines[:at], written, *lines[at + 1 + has_mark :]]
