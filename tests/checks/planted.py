# SPDX-License-Identifier: MIT
"""What the file of a planted bug says of itself. Its first lines:

    // finds: KIND [FIELD=VALUE ...]      the kind of the finding, and fields that it must have ("other.is_atomic=true")
    // SPDX-License-Identifier: MIT
    // compute-sanitizer: ...             what NVIDIA's tool says on a GPU, written by tables.py from measured data
    // also with: -G                      only where the program is also built without optimisation
    // one or two sentences: what is wrong

Comments at the end of a line of code name the lines: `// <- here` the finding's line, `// <- other` that of the other
access, `// <- here and other` both, `// <- also` lines that further findings of the same bug may name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Set

FIRST_LINE = re.compile(r"^// finds: (?P<kind>[a-z]+(?:-[a-z]+)*)(?P<fields>(?: [a-z_.]+=\S+)*)$")
MARK = re.compile(r"// <- (here and other|here|other|also)$")
VERDICT = "// compute-sanitizer: "


@dataclass
class Planted:
    path: Path
    kind: str
    fields: Dict[str, str]
    sentence: str
    here: Set[int] = field(default_factory=set)
    other: Set[int] = field(default_factory=set)
    also: Set[int] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def program(self) -> str:
        """Of the build's bin folder: PROGRAM CLASS bug|repaired."""
        return f"check-{self.path.parent.name}".replace("_", "-")


def read(path: Path) -> Planted:
    """Raises ValueError where the file is not in the form above."""
    lines = path.read_text(encoding="utf-8").splitlines()
    first = FIRST_LINE.match(lines[0])
    if not first:
        raise ValueError(f"{path}:1: must be `// finds: KIND [FIELD=VALUE ...]`, and is `{lines[0]}`")
    if len(lines) < 4 or not lines[2].startswith(VERDICT):
        raise ValueError(f"{path}:3: must begin with `{VERDICT}`")
    text: List[str] = []
    for line in lines[3:]:
        if not line.startswith("// "):
            break
        if not line.startswith("// also with: "):
            text.append(line[3:])
    planted = Planted(path, first["kind"], dict(pair.split("=", 1) for pair in first["fields"].split()), " ".join(text))
    for number, line in enumerate(lines, 1):
        mark = MARK.search(line)
        for word in mark[1].split(" and ") if mark else []:
            getattr(planted, word).add(number)
    return planted


def read_all(folder: Path) -> List[Planted]:
    return [read(path) for path in sorted(folder.glob("*/*.cu"))]
