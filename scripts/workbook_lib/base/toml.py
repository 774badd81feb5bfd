# SPDX-License-Identifier: MIT
"""Settings in TOML. Python reads TOML since 3.11. For older ones this module reads a part of it: comments, [tables],
key = value, and as values texts, whole and decimal numbers, true, false, and lists of these. Numbers stay exact."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Dict, List, Tuple

from .errors import WorkbookError

try:
    import tomllib
except ImportError:
    tomllib = None

TOKEN = re.compile(
    r"""[ \t\r]*(?:(?P<comment>\#[^\n]*)|(?P<text>"(?:[^"\\\n]|\\.)*")|(?P<plain>'[^'\n]*')|(?P<mark>[\[\],=\n])|(?P<word>[\w.+-]+))"""
)
NUMBER = re.compile(r"[+-]?(?:0|[1-9](?:_?\d)*)(?P<decimal>\.\d(?:_?\d)*)?")
KEY = re.compile(r"[A-Za-z0-9_-]+")
Token = Tuple[str, str, int]  # kind, text, line


def parse(text: str, name: str) -> Dict[str, object]:
    """Raises WorkbookError with file and line."""
    if tomllib is None:
        return Small(text, name).read()
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise WorkbookError(f"{name}: {error}") from error


class Small:
    """The part of TOML that is described above."""

    def __init__(self, text: str, name: str):
        self.name, self.at = name, 0
        self.tokens = self.split(text)

    def split(self, text: str) -> List[Token]:
        found: List[Token] = []
        place, line = 0, 1
        text = f"{text.rstrip()}\n"
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise self.error(line, f"'{text[place:].split(chr(10))[0].strip()}' can't be read")
            if match.lastgroup != "comment":
                found.append((match.lastgroup, match[match.lastgroup], line))
            line += match[match.lastgroup] == "\n"
            place = match.end()
        return found

    def error(self, line: int, words: str) -> WorkbookError:
        return WorkbookError(f"{self.name}:{line}: {words}")

    def take(self, *wanted: str) -> Token:
        token = self.tokens[self.at] if self.at < len(self.tokens) else ("mark", "\n", self.tokens[-1][2] if self.tokens else 1)
        if wanted and token[1] not in wanted and token[0] not in wanted:
            raise self.error(token[2], f"{token[1].strip() or 'the end of the line'} is not expected here")
        self.at += 1
        return token

    def read(self) -> Dict[str, object]:
        whole: Dict[str, object] = {}
        table = whole
        while self.at < len(self.tokens):
            kind, text, line = self.take("word", "text", "[", "\n")
            if text == "\n":
                continue
            if text == "[" and kind == "mark":
                name = self.take("word")[1]
                self.take("]")
                if name in whole or not KEY.fullmatch(name):
                    raise self.error(line, f"the table [{name}] is there twice, or has a name that this Python can't read")
                table = whole[name] = {}
            else:
                key = json.loads(text) if kind == "text" else text
                if key in table or (kind == "word" and not KEY.fullmatch(key)):
                    raise self.error(line, f"'{key}' is there twice, or is a name that this Python can't read")
                self.take("=")
                table[key] = self.value()
            self.take("\n")
        return whole

    def value(self) -> object:
        kind, text, line = self.take("word", "text", "plain", "[")
        if kind == "mark":
            return self.values()
        if kind != "word":
            return self.text_of(text, line)
        if text in ("true", "false"):
            return text == "true"
        found = NUMBER.fullmatch(text)
        if not found:
            raise self.error(line, f"'{text}' is no value that this Python can read: put a text between quotes")
        plain = text.replace("_", "")
        return Decimal(plain) if found["decimal"] else int(plain)

    def text_of(self, text: str, line: int) -> str:
        try:
            return text[1:-1] if text[0] == "'" else json.loads(text)
        except ValueError as error:
            raise self.error(line, f"{text} is no text: {error}") from error

    def values(self) -> List[object]:
        found: List[object] = []
        while True:
            while self.tokens[self.at : self.at + 1] and self.tokens[self.at][1] == "\n":
                self.at += 1
            if self.tokens[self.at : self.at + 1] and self.tokens[self.at][:2] == ("mark", "]"):
                self.at += 1
                return found
            found.append(self.value())
            while self.tokens[self.at : self.at + 1] and self.tokens[self.at][1] == "\n":
                self.at += 1
            if self.take(",", "]")[1] == "]":
                return found
