# SPDX-License-Identifier: MIT
"""What the compiler said, for who has not met its templates yet: the errors in the student's file first, without the
notes on what else could have been meant, and a sentence for the commonest of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import List, Optional

KINDS = r"(?:fatal |catastrophic )?error|warning|note"
HEAD = re.compile(rf"^(?P<file>[^\s(:]+)[(:](?P<line>\d+)\)?(?::\d+)?: (?P<kind>{KINDS})\b")
NOISE = re.compile(r"^Remark: |^\d+ errors? detected in the compilation of |^$")
EXPANDED = "::workbook::check_cuda("  # CUDA_CHECK, as the compiler shows it
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
        r'no instance of overloaded function "(std::)?swap"[^\n]*\n[^\n]*\bconst\b *[,)]',
        "swap changes both of its arguments, and one of these is const (so is a member of a const object, as "
        "workspace is): swap two variables of your own",
    ),
    (
        "a host function call cannot be configured",
        "only a kernel can be launched with <<<...>>>: does the function begin with __global__?",
    ),
    (
        r'calling a (constexpr )?__host__ function\("',
        "a kernel can only call functions that are made for the device: does this one begin with __device__?",
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
    kept = [block for block in blocks if not is_foreign_note(block)]
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
