# SPDX-License-Identifier: MIT
"""The device code of a program: the headers of the fat binaries that nvcc puts into its sections. It finds only whether
there is PTX and for which architecture. The simulator itself reads the PTX. The container is described in
common/simulator/runtime/base/fat_binary.h."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import List

from . import elf

SECTIONS = (".nv_fatbin", "__nv_relfatbin")  # the second with -rdc=true
CONTAINER = struct.Struct("<IHHQ")  # magic, version, bytes of this header, bytes of the entries
ENTRY = struct.Struct("<HHIQ12xI")  # kind, version, bytes of this header, bytes of the payload; at 28 the architecture
CONTAINER_MAGIC = 0xBA55ED50
PTX, CUBIN = 1, 2


@dataclass(frozen=True)
class Entry:
    """One piece of device code."""

    kind: int  # PTX, CUBIN, or another kind, which is not executed
    arch: int  # 75 for compute_75 or sm_75


def entries(data: bytes) -> List[Entry]:
    """The entries of all containers in a section. An incomplete one ends the list."""
    found = []
    offset = 0
    while offset + CONTAINER.size <= len(data):
        magic, _, header_bytes, body_bytes = CONTAINER.unpack_from(data, offset)
        if magic != CONTAINER_MAGIC:
            offset += 8  # there is padding between containers
            continue
        begin, end = offset + header_bytes, min(offset + header_bytes + body_bytes, len(data))
        while begin + ENTRY.size <= end:
            kind, _, entry_bytes, payload_bytes, arch = ENTRY.unpack_from(data, begin)
            if kind in (PTX, CUBIN):
                found.append(Entry(kind, arch))
            begin += max(entry_bytes + payload_bytes, ENTRY.size)
        offset = max(end, offset + CONTAINER.size)
        offset += -offset % 8
    return found


def device_code(path: Path, headers: elf.Elf) -> List[Entry]:
    """The device code of a program or library. Empty: none."""
    return [entry for name in SECTIONS for entry in entries(elf.section(path, headers, name))]
