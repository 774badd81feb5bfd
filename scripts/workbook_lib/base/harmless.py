# SPDX-License-Identifier: MIT
"""Output of untrusted programs as text that can't move a cursor, reverse a line or end one."""

from __future__ import annotations

import unicodedata

HARMFUL = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}  # control, format (such as right-to-left), private, surrogate, separators
MOST_CHARACTERS = 64 * 1024


def visible(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in HARMFUL:
        return character
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def harmless(output: bytes, most_characters: int = MOST_CHARACTERS) -> str:
    """The text, with an escape in place of each byte that is no UTF-8 and of each control character. Line ends and tabs
    stay. What is more than this many characters is left out, with a line that says so."""
    # A character has at least one byte, so no more bytes are needed than these.
    text = output[: 4 * most_characters + 4].decode("utf-8", errors="backslashreplace").replace("\r\n", "\n")
    shown = "".join(map(visible, text[:most_characters]))
    if len(text) <= most_characters:
        return shown
    return f"{shown}\n... ({len(output):,} bytes in all)"


def one_line(text: str, most_characters: int = 300) -> str:
    """A name that somebody else has chosen, on one line."""
    return harmless(text.encode("utf-8", errors="surrogateescape"), most_characters).replace("\n", "\\n").replace("\t", "\\t")
