# SPDX-License-Identifier: MIT
"""The page of scripts/workbook report. Jinja2 makes it from the templates in report/, and matplotlib makes its plots.
The data come from report_data.py; this module computes only positions."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from ..access.access_picture import WASTED
from ..measure import picture
from ..measure.bench_data import Bench, Program

TEMPLATES = Path(__file__).with_name("templates")
STYLED = re.compile(r'style="([^"]*)"')
INK, GRID = "#010101", "#020202"  # in matplotlib's SVG, for the page's own colours
STYLE = {
    **picture.STYLE,
    **{name: INK for name in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")},
    "grid.color": GRID,
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "axes.facecolor": "none",
}
# Removes half of matplotlib's output: surplus digits, a list of all fonts, empty transformations, names of groups, and
# repeated styles of ticks.
SHORTER = (
    (r"(\d\.\d)\d+", r"\1"),
    (r"font-family: [^;\"]*; ", ""),
    (r' transform="rotate\(-0 [^"]*\)"', ""),
    (r" *\n\s*", "\n"),
    (r'<g id="[^"]*"', "<g"),
    (rf'(<use[^>]*) style="fill: {INK}; stroke: {INK}[^"]*"', r"\1"),
)


def render(data: Dict[str, object], bench: Bench, families: Sequence[Sequence[Program]]) -> str:
    import jinja2
    from markupsafe import Markup

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    environment.filters.update(areas=areas, lanes=lanes, middle=middle, short=short)
    plots, style = with_classes([plot(bench, family, f"p{number}-") for number, family in enumerate(families)])
    page = environment.get_template("page.html.jinja")
    return page.render(data=data, plots=[Markup(text) for text in plots], plot_style=Markup(style))


def areas(cells: str) -> List[Tuple[int, int, str]]:
    """The marked areas of a row: first cell, length, and purpose."""
    found = re.finditer(rf"[{WASTED}]+|[^ {WASTED}]+", cells)
    return [(each.start(), len(each[0]), "waste" if each[0][0] == WASTED else "used") for each in found]


def lanes(cells: str) -> List[Tuple[str, int]]:
    """The letter of each lane, in the first of its cells."""
    return [(each[1], each.start()) for each in re.finditer(rf"([^ {WASTED}])\1*", cells)]


def middle(first: int, cell: int) -> str:
    """The place of a cell, along the row."""
    return f"{(first + 0.5) * cell:g}"


def short(number: float) -> str:
    """A number, rounded to a tenth."""
    return f"{number:.1f}".removesuffix(".0")


def with_classes(plots: Sequence[str]) -> Tuple[List[str], str]:
    """The plots with a class in place of each style, and the classes' rules. A style occurs hundreds of times."""
    styles = {style: f"s{number}" for number, style in enumerate(sorted(set(STYLED.findall("".join(plots)))))}
    rules = "\n".join(f".plot .{name} {{ {style} }}" for style, name in styles.items())
    return [STYLED.sub(lambda found: f'class="{styles[found[1]]}"', text) for text in plots], rules


def without_bare_groups(text: str) -> str:
    """An SVG without groups that have no attributes."""
    is_bare: List[bool] = []

    def kept(found: "re.Match[str]") -> str:
        if found[0].startswith("</"):
            return "" if is_bare.pop() else found[0]
        is_bare.append(found[0] == "<g>")
        return "" if is_bare[-1] else found[0]

    return re.sub(r"<g\b[^>]*>|</g>", kept, text)


def plot(bench: Bench, family: Sequence[Program], prefix: str) -> str:
    """A plot. `prefix`: of the names in the SVG, so that several can be in one page."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11, 5.5))
        picture.over_size(figure, bench, family)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    text = file.getvalue()
    text = text[text.index("<svg") :]
    # A style in it would apply to the whole page, and so would a size.
    text = re.sub(r"<metadata>.*?</metadata>|<defs>\s*<style.*?</defs>", "", text, flags=re.DOTALL)
    text = re.sub(r' (width|height)="[\d.]+pt"', "", text)
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}", text)
    for long, shorter in SHORTER:
        text = re.sub(long, shorter, text)
    text = re.sub(r"\n+", "\n", without_bare_groups(text))
    label = f"Time and rate over size: {', '.join(program.label for program in family)}"
    text = text.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    for colour, own in ((INK, "currentColor"), ("#000000", "currentColor"), (GRID, "var(--line)")):
        text = text.replace(colour, own)
    return text
