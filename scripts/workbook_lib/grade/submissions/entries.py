# SPDX-License-Identifier: MIT
"""The files in a folder, an archive or a repository, without unpacking any of them."""

from __future__ import annotations

import bz2
import contextlib
import errno
import gzip
import io
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Callable, Iterator

from ...base.files import read_regular
from ...course.todo_file import MOST_BYTES

MOST_ENTRIES = 100_000
MOST_ARCHIVE_BYTES = 256 << 20
MOST_UNPACKED_BYTES = 256 << 20  # what a compressed tar file may come to
FILE, LINK, OTHER = "file", "link", "other"
ZIP_ENDINGS, TAR_ENDINGS = (".zip",), (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
REPOSITORY_ENDING = ".git"


class Refused(Exception):
    """Why a submission can't be read, as a sentence."""


@dataclass(frozen=True)
class Entry:
    path: str  # with slashes, as it is named there
    kind: str
    read: Callable[[], bytes]  # raises Refused; at most MOST_BYTES


TOO_LARGE = f"it has more than {MOST_BYTES >> 20} MB"


def bounded(stream: BinaryIO) -> bytes:
    """The content, whatever size its head claims."""
    content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise Refused(TOO_LARGE)
    return content


def counted(entries: Iterator[Entry]) -> Iterator[Entry]:
    for count, entry in enumerate(entries):
        if count == MOST_ENTRIES:
            raise Refused(f"there are more than {MOST_ENTRIES:,} files in it")
        yield entry


def of_folder(folder: Path) -> Iterator[Entry]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in [*sorted(names), *folders]:
            path = Path(place, name)
            mode = path.lstat().st_mode
            if not stat.S_ISDIR(mode):
                kind = FILE if stat.S_ISREG(mode) else LINK if stat.S_ISLNK(mode) else OTHER
                yield Entry(path.relative_to(folder).as_posix(), kind, lambda path=path: of_disk(path))


def of_disk(path: Path) -> bytes:
    try:
        return read_regular(path, MOST_BYTES, follows_links=False)
    except OSError as error:
        raise Refused(TOO_LARGE if error.errno == errno.EFBIG else f"it can't be read ({error.strerror})") from error


def of_zip(file: Path) -> Iterator[Entry]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                mode = info.external_attr >> 16
                kind = LINK if stat.S_ISLNK(mode) else FILE if stat.S_IFMT(mode) in (0, stat.S_IFREG) else OTHER
                yield Entry(info.filename, kind, lambda info=info: of_archive(archive, info))


def of_archive(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with as_refusal(), archive.open(info) as stream:
        return bounded(stream)


class Bounded(io.RawIOBase):
    """The unpacked bytes of a stream, up to a limit: a tar file is read from its beginning to its end."""

    def __init__(self, stream: BinaryIO):
        self.stream, self.left = stream, MOST_UNPACKED_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:
        piece = self.stream.read(len(buffer))
        self.left -= len(piece)
        if self.left < 0:
            raise Refused(f"it unpacks to more than {MOST_UNPACKED_BYTES >> 20} MB")
        buffer[: len(piece)] = piece
        return len(piece)


def unpacked(file: Path) -> BinaryIO:
    """The tar file itself, whatever has compressed it."""
    with file.open("rb") as stream:
        head = stream.read(8)
    for mark, opened in ((b"\x1f\x8b", gzip.open), (b"BZh", bz2.open), (b"\xfd7zXZ", lzma.open)):
        if head.startswith(mark):
            return opened(file, "rb")
    return file.open("rb")


def of_tar(file: Path) -> Iterator[Entry]:
    with unpacked(file) as stream, tarfile.open(fileobj=io.BufferedReader(Bounded(stream)), mode="r|") as archive:
        for info in archive:
            if not info.isdir():
                kind = FILE if info.isfile() else LINK if info.issym() or info.islnk() else OTHER
                # A stream is read once, so the content is taken now.
                content = archive.extractfile(info).read(MOST_BYTES + 1) if info.isfile() else b""
                yield Entry(info.name, kind, lambda content=content: bounded(io.BytesIO(content)))


@contextlib.contextmanager
def as_refusal() -> Iterator[None]:
    """What goes wrong with a damaged archive, as a sentence."""
    try:
        yield
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        # RuntimeError: a password; NotImplementedError: a compression that Python does not know
        raise Refused(f"it can't be read: {error}") from error
    except OSError as error:
        raise Refused(f"it can't be read: {error.strerror or error}") from error
