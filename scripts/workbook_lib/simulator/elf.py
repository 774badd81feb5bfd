# SPDX-License-Identifier: MIT
"""The facts in a program file: machine, loader, libraries and search paths, and its sections. It reads 64-bit
little-endian ELF, the only kind that CUDA has. The file is untrusted: malformed data raise ElfError."""

from __future__ import annotations

import mmap
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

MACHINES = {"x86_64": 62, "aarch64": 183}  # e_machine by platform.machine()

PROGRAM_HEADER = struct.Struct("<IIQQQQQQ")
SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
WEAK = 2  # the binding of a symbol
LOADED, DYNAMIC, INTERPRETER = 1, 2, 3  # p_type
END, NEEDED, STRING_TABLE, RPATH, RUNPATH = 0, 1, 5, 15, 29  # d_tag
NO_BITS = 8  # sh_type of a section without bytes in the file


class ElfError(Exception):
    """The file is not a readable ELF file. The text gives the reason."""


@dataclass
class Elf:
    """One program or shared library."""

    machine: int = 0
    interpreter: str = ""  # the loader that starts it; empty: a static program, or a library
    needed: List[str] = field(default_factory=list)
    rpath: str = ""
    runpath: str = ""
    sections: Dict[str, Tuple[int, int]] = field(default_factory=dict)  # offset and size in the file


def is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def read(path: Path) -> Elf:
    with path.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            raise ElfError("it is no ELF file")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                return parse(data)
            except (struct.error, IndexError, ValueError, OverflowError) as error:
                raise ElfError(f"its ELF headers are damaged ({error})") from error


def section(path: Path, elf: Elf, name: str) -> bytes:
    """A section's bytes. Empty where there is none."""
    offset, size = elf.sections.get(name, (0, 0))
    with path.open("rb") as file:
        file.seek(offset)
        return file.read(size)


def symbols(path: Path, elf: Elf, defined: bool) -> Set[str]:
    """The names that it gives to others, but for weak ones, or those that it takes from them."""
    names, table = section(path, elf, ".dynstr"), section(path, elf, ".dynsym")
    found = set()
    for name, info, _, index, _, _ in SYMBOL.iter_unpack(table[: len(table) // SYMBOL.size * SYMBOL.size]):
        if (index != 0) == defined and not (defined and info >> 4 == WEAK):
            found.add(names[name : names.find(b"\0", name)].decode("utf-8", "replace"))
    return found


def parse(data: mmap.mmap) -> Elf:
    if data[4] != 2:
        raise ElfError("it is a 32-bit program")
    if data[5] != 1:
        raise ElfError("it is a big-endian program")
    elf = Elf(machine=struct.unpack_from("<H", data, 18)[0])
    headers, sections = struct.unpack_from("<QQ", data, 32)
    header_bytes, header_count, section_bytes, section_count, names = struct.unpack_from("<5H", data, 54)
    segments = [PROGRAM_HEADER.unpack_from(data, headers + i * header_bytes) for i in range(header_count)]
    for kind, _, offset, _, _, size, _, _ in segments:
        if kind == INTERPRETER:
            elf.interpreter = text_at(data, offset)
        elif kind == DYNAMIC:
            read_dynamic(data, offset, size, segments, elf)
    if section_count and sections:
        read_sections(data, [sections + i * section_bytes for i in range(section_count)], names, elf)
    return elf


def read_dynamic(data: mmap.mmap, offset: int, size: int, segments: List[tuple], elf: Elf) -> None:
    entries = []
    for tag, value in struct.iter_unpack("<QQ", data[offset : offset + size // 16 * 16]):
        if tag == END:
            break
        entries.append((tag, value))
    strings = file_offset(dict(entries).get(STRING_TABLE), segments)
    for tag, value in entries:
        if tag == NEEDED:
            elf.needed.append(text_at(data, strings + value))
        elif tag == RPATH:
            elf.rpath = text_at(data, strings + value)
        elif tag == RUNPATH:
            elf.runpath = text_at(data, strings + value)


def file_offset(address: Optional[int], segments: List[tuple]) -> int:
    for kind, _, offset, begin, _, size, _, _ in segments:
        if kind == LOADED and address is not None and begin <= address < begin + size:
            return offset + address - begin
    raise ValueError("no string table")


def read_sections(data: mmap.mmap, headers: List[int], names: int, elf: Elf) -> None:
    rows = [SECTION_HEADER.unpack_from(data, offset) for offset in headers]
    for name, kind, _, _, offset, size, _, _, _, _ in rows:
        if kind != NO_BITS and offset + size <= len(data):
            elf.sections[text_at(data, rows[names][4] + name)] = (offset, size)


def text_at(data: mmap.mmap, offset: int) -> str:
    end = data.find(b"\0", offset)
    if not 0 <= offset < end:
        return ""
    return data[offset:end].decode("utf-8", "replace")
