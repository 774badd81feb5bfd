# SPDX-License-Identifier: MIT
"""Rows of the instruction table and their patterns: reading what list_rows prints, expanding a pattern into opcodes.

A pattern is literal text with groups: `<.a|.b>` is a choice that must be there, `[.a|.b]` one that may be absent.
"""
import itertools
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    family: str
    is_pure: bool
    pattern: str
    operands: str
    section: str

    @property
    def name(self):
        """How a case's `rows:` entry names it; the operands tell rows of one pattern apart."""
        return f"{self.pattern} : {self.operands}"


def read_rows(text):
    rows = []
    for line in text.splitlines():
        family, kind, pattern, operands, section = line.split("\t")
        rows.append(Row(family, kind == "pure", pattern, operands, section))
    return rows


def parts(pattern):
    """A list of str (literal) and list (the alternatives of a group; None stands for an absent group)."""
    result = []
    for choice, option, literal in re.findall(r"<([^>]*)>|\[([^\]]*)\]|([^<\[]+)", pattern):
        if literal:
            result.append(literal)
        elif choice:
            result.append(choice.split("|"))
        else:
            result.append([None] + option.split("|"))
    return result


def literal_name(pattern):
    """The pattern without its groups: 'mad<.lo|.hi>.cc<.u32>' gives 'mad.cc'."""
    return "".join(part for part in parts(pattern) if isinstance(part, str))


def groups(pattern):
    return [part for part in parts(pattern) if isinstance(part, list)]


def covering_choices(alternatives, limit):
    """Every combination when there are at most `limit`; else a selection in which each pair of alternatives of any two
    groups occurs together. Deterministic."""
    total = 1
    for group in alternatives:
        total *= len(group)
    everything = list(itertools.product(*alternatives))
    if total <= limit or len(alternatives) < 3:
        return everything

    def pairs(choice):
        return {(i, choice[i], j, choice[j]) for i in range(len(choice)) for j in range(i)}

    missing = set().union(*(pairs(choice) for choice in everything))
    selected = []
    while missing:
        best = max(everything, key=lambda choice: len(pairs(choice) & missing))
        selected.append(best)
        missing -= pairs(best)
    return sorted(selected, key=everything.index)


def opcode(pattern, choice):
    """The opcode text for one choice (one alternative or None for each group)."""
    rest = iter(choice)
    return "".join(part if isinstance(part, str) else (next(rest) or "") for part in parts(pattern))
