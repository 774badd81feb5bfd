# SPDX-License-Identifier: MIT
"""The page about a class, made by Jinja2 from its template and the style of the learner's report."""

from __future__ import annotations

from pathlib import Path
from typing import Dict

HERE = Path(__file__).parent
STYLES = HERE.parents[1] / "report" / "templates"


def render(data: Dict[str, object]) -> str:
    import jinja2

    loader = jinja2.FileSystemLoader([HERE, STYLES])
    environment = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.get_template("class.html.jinja").render(data=data)
