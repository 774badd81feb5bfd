# SPDX-License-Identifier: MIT
"""What the file of a planted bug says of itself. Its first lines:

    // finds: KIND [FIELD=VALUE ...]      the kind of the finding, and fields that it must have ("other.is_atomic=true")
    // SPDX-License-Identifier: MIT
    // compute-sanitizer: ...             what NVIDIA's tool says on a GPU, written by tables.py from measured data
    // also with: -G                      only where the program is also built without optimisation
    // says: WORDS                        what the message, the memory or the advice of the marked finding must hold; any number of these
    // does not say: WORDS                what no finding may say
    // one or two sentences: what is wrong

Comments at the end of a line of code name the lines: `// <- here` the finding's line, `// <- other` that of the other
access, or of the call of another stream's work, `// <- here and other` both, `// <- also` lines that further findings of
the same bug may name, `// <- allocated` where the memory was allocated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Set

FIRST_LINE = re.compile(r"^// finds: (?P<kind>[a-z]+(?:-[a-z]+)*)(?P<fields>(?: [a-z_.]+=\S+)*)$")
MARK = re.compile(r"// <- (here and other|here|other|also|allocated)$")
HEAD = re.compile(r"// (?:(?P<word>also with|says|does not say): )?(?P<text>.*)$")
VERDICT = "// compute-sanitizer: "


@dataclass
class Planted:
    path: Path
    kind: str
    fields: Dict[str, str]
    sentence: str
    says: List[str]
    says_not: List[str]
    here: Set[int] = field(default_factory=set)
    other: Set[int] = field(default_factory=set)
    also: Set[int] = field(default_factory=set)
    allocated: Set[int] = field(default_factory=set)

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
    said: Dict[str, List[str]] = {"also with": [], "says": [], "does not say": [], "": []}
    for line in lines[3:]:
        head = HEAD.match(line)
        if not head:
            break
        said[head["word"] or ""].append(head["text"])
    fields = dict(pair.split("=", 1) for pair in first["fields"].split())
    planted = Planted(path, first["kind"], fields, " ".join(said[""]), said["says"], said["does not say"])
    for number, line in enumerate(lines, 1):
        mark = MARK.search(line)
        for word in mark[1].split(" and ") if mark else []:
            getattr(planted, word).add(number)
    return planted


def read_all(folder: Path) -> List[Planted]:
    return [read(path) for path in sorted(folder.glob("*/*.cu"))]
