# SPDX-License-Identifier: MIT
"""A Markdown text as sentences, and how many words they have. Tables, headings and code do not count."""

from __future__ import annotations

import re
from typing import Iterator, List, Tuple

LEFT_OUT = re.compile(r"```.*?```|<!--.*?-->", re.DOTALL)
NO_PROSE = re.compile(r"\s*(\||#|!\[|    )")  # a table, a heading, a picture, code
PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)")
SENTENCE_END = re.compile(r'(?<=[.!?:;])\s+(?=[A-Z0-9(*"])')
WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9'’.,-]*")


def sentences(text: str) -> Iterator[Tuple[int, str]]:
    """Words and text of each sentence of more than two words; what stands between backticks is one word."""
    lines = ["" if NO_PROSE.match(line) else line for line in LEFT_OUT.sub("\n\n", text).split("\n")]
    for paragraph in PARAGRAPH.split("\n".join(lines)):
        paragraph = re.sub(r"`[^`]*`", "code", " ".join(paragraph.split()))
        for sentence in SENTENCE_END.split(paragraph):
            words = len(WORD.findall(sentence))
            if words > 2:
                yield words, sentence


def percentile(lengths: List[int], share: float) -> int:
    return sorted(lengths)[int(len(lengths) * share)] if lengths else 0
