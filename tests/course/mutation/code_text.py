# SPDX-License-Identifier: MIT
"""CUDA C++ as the mutation operators see it: tokens of code, without comments, texts and preprocessor lines. Operators look
for a few shapes among them: statements, operands, arguments, heads of loops. This is no parser. It relies on the
repository's format (.clang-format): an operator between two operands has blanks around it, and the bracket of a template
has not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterator, List, Optional, Tuple

TOKEN = re.compile(
    r"""
    (?P<skipped> \s+ | //[^\n]* | /\*.*?\*/ | \#(?:[^\n\\]|\\.)* )
  | (?P<text> R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)" | "(?:[^"\\\n]|\\.)*" | (?<![\w.])'(?:[^'\\\n]|\\.)+' )
  | (?P<number> (?:0[xX][0-9a-fA-F']+|\.?\d(?:[\d.']|[eE][+-]?(?=\d))*)[a-zA-Z]* )
  | (?P<name> [A-Za-z_]\w* )
  | (?P<mark_of_code> <<<|>>>|<<=|>>=|\.\.\.|->|::|\+\+|--|<<|[-+*/%&|^<>=!]=|&&|\|\||. )
    """,
    re.VERBOSE | re.DOTALL,
)
OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {closing: opening for opening, closing in OPENING.items()}
UNARY = ("-", "+", "!", "~", "*", "&")


@dataclass(frozen=True)
class Token:
    kind: str  # name, number, mark_of_code
    text: str
    begin: int  # offset in the source
    end: int


@dataclass(frozen=True)
class Edit:
    """`text` in place of source[begin:end]."""

    begin: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        return source[: self.begin] + self.text + source[self.end :]


class Code:
    """A source with its tokens. Functions that take and give numbers mean indices of tokens; ends are exclusive."""

    def __init__(self, source: str):
        self.source = source
        self.tokens: List[Token] = [
            Token(match.lastgroup, match.group(), match.start(), match.end())
            for match in TOKEN.finditer(source)
            if match.lastgroup not in ("skipped", "text")
        ]
        self.partner = self.match_brackets()

    def match_brackets(self) -> List[Optional[int]]:
        """By token: the bracket that belongs to it."""
        partner: List[Optional[int]] = [None] * len(self.tokens)
        open_brackets: List[int] = []
        for index, token in enumerate(self.tokens):
            if token.text in OPENING:
                open_brackets.append(index)
            elif token.text in CLOSING and open_brackets:
                partner[index] = open_brackets.pop()
                partner[partner[index]] = index
        return partner

    def text(self, index: int) -> str:
        """The text of a token; empty beyond the ends."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def between(self, begin: int, end: int) -> str:
        """The source of these tokens."""
        return self.source[self.tokens[begin].begin : self.tokens[end - 1].end] if begin < end else ""

    def replace(self, begin: int, end: int, text: str) -> Edit:
        return Edit(self.tokens[begin].begin, self.tokens[end - 1].end, text)

    def find(self, *texts: str) -> Iterator[int]:
        """Where one of these tokens stands."""
        return (index for index, token in enumerate(self.tokens) if token.text in texts)

    def find_between_operands(self, *texts: str) -> Iterator[int]:
        """Where one of these operators stands between two operands."""
        for index in self.find(*texts):
            token = self.tokens[index]
            around = self.source[token.begin - 1 : token.begin], self.source[token.end : token.end + 1]
            if index > 0 and all(map(str.isspace, around)) and self.text(index - 1) not in (",", "return", "typename"):
                yield index

    def find_calls(self, *names: str) -> Iterator[Tuple[int, int]]:
        """Calls of functions with these names: the name, and the end of the arguments."""
        for index in self.find(*names):
            if self.text(index + 1) == "(":
                yield index, self.partner[index + 1] + 1

    def arguments(self, opening: int) -> List[Tuple[int, int]]:
        """What commas separate within a pair of brackets."""
        closing = self.partner[opening]
        found, begin, index = [], opening + 1, opening + 1
        while index < closing:
            if self.text(index) == ",":
                found.append((begin, index))
                begin = index + 1
            index = self.partner[index] + 1 if self.text(index) in OPENING else index + 1
        return [*found, (begin, closing)] if begin < closing else found

    def operand_after(self, index: int) -> int:
        """The end of the operand that begins here: signs, a name or number or bracket, and what is called or chosen of
        it."""
        while self.text(index) in UNARY:
            index += 1
        if self.text(index) == "(":
            index = self.partner[index] + 1
        else:
            index += 1
        while True:
            if self.text(index) in (".", "->", "::"):
                index += 2
            elif self.text(index) in OPENING:
                index = self.partner[index] + 1
            elif self.text(index) == "<" and (end := self.template_end(index)) is not None:
                index = end
            else:
                return index

    def template_end(self, index: int) -> Optional[int]:
        """The end of the template arguments whose bracket this is; None: it is a comparison."""
        if self.source[self.tokens[index].begin - 1].isspace():
            return None
        depth = 0
        for end in range(index, len(self.tokens)):
            depth += {"<": 1, ">": -1}.get(self.text(end), 0)
            if depth == 0:
                return end + 1
        return None

    def operand_before(self, index: int) -> int:
        """The beginning of the operand that ends before this token."""
        index -= 1
        while True:
            if self.text(index) in CLOSING:
                index = self.partner[index]
                callee = self.tokens[index - 1]
                if callee.kind == "name" and callee.text not in ("return", "if", "while"):
                    index -= 1
                elif callee.text == ">" and self.source[callee.begin - 1] != " ":
                    while self.text(index) != "<":
                        index -= 1
                    index -= 1
                elif callee.text in ("]", ")") and self.text(index) in ("[", "("):
                    index -= 1
                    continue
            if self.text(index - 1) in (".", "->", "::"):
                index -= 2
                continue
            return index

    def is_block(self, opening: int) -> bool:
        """Whether this brace opens a block of statements, and not a list of values."""
        begin = self.tokens[opening].begin
        return self.source[begin - 1 : begin].isspace() and self.text(opening - 1) not in ("=", "return", ",", "(")

    def statements(self) -> Iterator[Tuple[int, int]]:
        """Statements without a block of their own, with their semicolons; also those in a function of one line."""
        heads = self.heads_of_loops()
        for end in self.find(";"):
            if any(opening < end < closing for opening, closing in heads):
                continue
            begin = end
            while begin > 0 and self.text(begin - 1) not in (";", "{", "else", "do"):
                opening = self.partner[begin - 1]
                if opening is None:
                    begin -= 1
                elif self.text(opening) == "{" and self.is_block(opening):
                    break
                elif self.text(opening - 1) in ("if", "for", "while", "constexpr"):
                    break
                else:
                    begin = opening
            if begin < end:
                yield begin, end + 1

    def heads_of_loops(self) -> List[Tuple[int, int]]:
        """The brackets behind each `for`."""
        return [(index + 1, self.partner[index + 1]) for index in self.find("for") if self.text(index + 1) == "("]

    def loop_steps(self) -> Iterator[Tuple[int, int]]:
        """What the heads of loops have after their second semicolon."""
        for opening, closing in self.heads_of_loops():
            semicolons = [index for index in range(opening, closing) if self.text(index) == ";"]
            if len(semicolons) == 2 and semicolons[1] + 1 < closing:
                yield semicolons[1] + 1, closing

    def choices(self) -> Iterator[Tuple[int, int, int, int]]:
        """`condition ? one : other`: its beginning, its two marks and its end."""
        for mark in self.find("?"):
            colon = self.walk(mark + 1, 1, (":",))
            begin = self.walk(mark - 1, -1, ("=", "+=", "-=", "*=", ",", ";", "return", ":", "?")) + 1
            yield begin, mark, colon, self.walk(colon + 1, 1, (",", ";", ":"))

    def walk(self, index: int, step: int, stops: Tuple[str, ...]) -> int:
        """The first token in this direction that is one of `stops`, or a bracket around the place where one began."""
        ahead, around = (OPENING, CLOSING) if step > 0 else (CLOSING, OPENING)
        nested = 0
        while 0 <= index < len(self.tokens) and self.text(index) not in around:
            if self.text(index) == "?" and step > 0:
                nested += 1
            elif self.text(index) == ":" and nested:
                nested -= 1
            elif self.text(index) in stops:
                return index
            index = self.partner[index] + step if self.text(index) in ahead else index + step
        return index
