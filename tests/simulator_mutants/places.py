# SPDX-License-Identifier: MIT
"""One-change mutants of C++ sources, each behind a switch that is read at run time. A change is made within a unit: a condition,
the value of a return or of a declaration, or a whole statement. The unit stands in the source twice, as it is and changed."""

from __future__ import annotations

import hashlib
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "course/mutation"))

from code_text import Code, Edit  # noqa: E402

SWITCH = "simulator_mutant::is({number})"
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OTHERS = {"&&": "||", "||": "&&", "+": "-", "-": "+", "&": "|", "|": "&", "+=": "-=", "-=": "+="}
NAMES = {"min": "max", "max": "min", "true": "false", "false": "true"}
NOT_CODE = ("static_assert", "constexpr", "using", "typedef", "template", "case", "throw", "goto", "default", "friend")


@dataclass(frozen=True)
class Unit:
    """Tokens `begin` to `end` of a file, which are compiled twice."""

    begin: int
    end: int
    is_statement: bool


@dataclass(frozen=True)
class Mutant:
    path: str  # from the root of the repository
    operator: str
    line: int  # where the change is; for people, not part of the name
    begin: int  # offsets of the unit in the source
    end: int
    replacement: str  # of the unit, with {number} for the mutant's number
    before: str
    after: str
    fingerprint: str

    @property
    def name(self) -> str:
        """Survives changes of other lines."""
        return f"{self.path}:{self.operator}:{self.fingerprint}"


def mutants_of(path: str, source: str) -> List[Mutant]:
    """All of them, in the order of the file."""
    code = Code(source)
    found: List[Mutant] = []
    times_seen: Dict[Tuple[str, str], int] = {}
    for unit in units(code):
        text = code.between(unit.begin, unit.end)
        if '"' in text or "#" in text or "'" in text or "//" in text:  # a message, a preprocessor line, a comment
            continue
        for operator, edit in changes(code, unit):
            offset = code.tokens[unit.begin].begin
            changed = Edit(edit.begin - offset, edit.end - offset, edit.text).apply(text)
            line = source.count("\n", 0, edit.begin) + 1
            key = operator, code.source.splitlines()[line - 1].strip() + changed
            times_seen[key] = times_seen.get(key, 0) + 1
            mark = hashlib.sha256(f"{key[1]}\n{times_seen[key]}".encode()).hexdigest()[:8]
            end = code.tokens[unit.end - 1].end
            replacement = switched(unit, text, changed)
            found.append(
                Mutant(path, operator, line, offset, end, replacement, one_line(text), one_line(changed), mark)
            )
    return found


def switched(unit: Unit, text: str, changed: str) -> str:
    """Both forms, with the lines of the first alone, so that the compiler's errors name lines of the source."""
    changed, text = one_line(changed), text.replace("{", "{{").replace("}", "}}")
    changed = changed.replace("{", "{{").replace("}", "}}")
    if unit.is_statement:
        return f"{{{{ if ({SWITCH}) {{{{ {changed} }}}} else {{{{ {text} }}}} }}}}"
    return f"({SWITCH} ? ({changed}) : ({text}))"


def one_line(text: str) -> str:
    return " ".join(text.split())


def units(code: Code) -> Iterator[Unit]:
    """Conditions and values before the statements in which they stand."""
    inside = Surroundings(code)
    for index in code.find("if", "while"):
        if code.text(index + 1) == "(" and inside.is_code(index):
            begin, end = index + 2, code.partner[index + 1]
            if not any(code.text(i) in (";", "=") for i in range(begin, end)):
                yield Unit(begin, end, False)
    for opening, closing in code.heads_of_loops():
        semicolons = [i for i in range(opening, closing) if code.text(i) == ";"]
        if len(semicolons) == 2 and semicolons[0] + 1 < semicolons[1] and inside.is_code(opening):
            yield Unit(semicolons[0] + 1, semicolons[1], False)
    for begin, end in code.statements():
        if not inside.is_code(begin) or any(code.text(i) in NOT_CODE for i in range(begin, end)):
            continue
        if code.text(begin) == "return":
            if end - begin > 2 and code.text(begin + 1) != "{":
                yield Unit(begin + 1, end - 1, False)
            elif end - begin == 2:
                yield Unit(begin, end, True)
        elif is_declaration(code, begin, end):
            yield from initial_values(code, begin, end)
        elif code.text(begin) not in ("static", "extern", "struct", "class", "enum", "return", "co_return"):
            yield Unit(begin, end, True)


def initial_values(code: Code, begin: int, end: int) -> Iterator[Unit]:
    """Of each name that a declaration has."""
    while begin < end:
        mark = code.walk(begin, 1, ("=", "{", "(", "[", ";"))
        stop = code.walk(mark + 1, 1, (",", ";")) if code.text(mark) == "=" else end
        if mark + 1 < stop < end and code.text(mark + 1) != "{":
            yield Unit(mark + 1, stop, False)
        begin = stop + 1


def is_declaration(code: Code, begin: int, end: int) -> bool:
    """`type name` comes first, and not a call or an assignment."""
    if code.text(begin) in ("const", "auto", "static", "thread_local"):
        return True
    head = next((i for i in range(begin, end) if code.text(i) in ("=", "(", "[", "{", ";", ".", "->")), end)
    if head - begin < 2 or code.tokens[head - 1].kind != "name":
        return False
    return code.tokens[head - 2].kind == "name" or code.text(head - 2) in (">", "*", "&")


class Surroundings:
    """By token: whether it stands in the body of a function that runs, not in a type, a list or a constant expression."""

    def __init__(self, code: Code):
        self.code = code
        self.of_brace: Dict[int, str] = {}
        self.around: List[Optional[int]] = [None] * len(code.tokens)
        stack: List[int] = []
        for index, token in enumerate(code.tokens):
            if token.text == "}" and stack:
                stack.pop()
            self.around[index] = stack[-1] if stack else None
            if token.text == "{":
                self.of_brace[index] = self.kind(index)
                stack.append(index)

    def kind(self, opening: int) -> str:
        code, begin = self.code, opening
        while begin > 0 and code.text(begin - 1) not in (";", "{", "}"):
            begin = code.partner[begin - 1] if code.text(begin - 1) in (")", "]") else begin - 1
        head = [code.text(i) for i in range(begin, opening)]
        if "constexpr" in head and "if" not in head or "consteval" in head:
            return "constant"
        before = code.text(opening - 1)
        if before in (")", "const", "noexcept", "override", "else", "do", "try", "mutable", "]", ""):
            return "body"
        if before in (";", "{", "}") or "->" in head:
            return "body"
        if any(word in head for word in ("struct", "class", "union", "enum", "namespace")):
            return "type"
        # Behind the initialisers of a constructor.
        return "body" if ":" in head and before in (")", "}") else "list"

    def is_code(self, index: int) -> bool:
        brace = self.around[index]
        if brace is None or self.of_brace[brace] != "body":
            return False
        while brace is not None:
            if self.of_brace[brace] == "constant":
                return False
            brace = self.around[brace]
        return True


def changes(code: Code, unit: Unit) -> Iterator[Tuple[str, Edit]]:
    within = range(unit.begin, unit.end)
    for index in code.find_between_operands(*COMPARISONS):
        if index in within:
            yield "comparison", code.replace(index, index + 1, COMPARISONS[code.text(index)])
    for index in code.find_between_operands(*OTHERS):
        if index in within:
            yield "operator", code.replace(index, index + 1, OTHERS[code.text(index)])
    for index in within:
        token = code.tokens[index]
        whole = re.fullmatch(r"(\d+)([uUlL]*)", token.text) if token.kind == "number" else None
        if whole and code.text(index + 1) != ">" and code.text(index - 1) != "<":
            yield "constant", code.replace(index, index + 1, f"{int(whole[1]) + 1}{whole[2]}")
            if int(whole[1]) > 0:
                yield "constant", code.replace(index, index + 1, f"{int(whole[1]) - 1}{whole[2]}")
        elif token.text in NAMES and code.text(index - 1) not in (".", "->"):
            yield "constant" if token.text in ("true", "false") else "minimum", code.replace(
                index, index + 1, NAMES[token.text]
            )
    if unit.is_statement:
        yield "statement-removed", code.replace(unit.begin, unit.end, ";")
    elif code.text(unit.begin - 1) == "(" and code.text(unit.begin - 2) in ("if", "while"):
        yield "condition-negated", code.replace(unit.begin, unit.end, f"!({code.between(unit.begin, unit.end)})")
