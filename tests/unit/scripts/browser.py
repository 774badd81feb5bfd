# SPDX-License-Identifier: MIT
"""What the tests of pages share: a page as Python reads it, and as a Chromium without a window does."""

import html.parser
import shutil
import subprocess

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# Says of the page "@PAGE@" whether it fits into a telephone and a window.
FRAMES = """<!DOCTYPE html><title>frames</title><body><script>
for (const width of [360, 1280]) {
  const frame = document.createElement("iframe");
  frame.style.width = width + "px"; frame.style.border = "0"; frame.src = "@PAGE@";
  frame.onload = () => {
    const root = frame.contentDocument.documentElement;
    document.body.dataset["w" + width] = root.scrollWidth <= root.clientWidth ? "fits" : root.scrollWidth;
  };
  document.body.append(frame);
}
</script>"""


class Page(html.parser.HTMLParser):
    """What stands in elements with data-of, the cells of rows below data-rows, and what the page would load."""

    EMPTY = ("meta", "link", "br", "rect", "path", "use", "img")

    def __init__(self, text):
        super().__init__()
        self.open, self.figures, self.rows, self.ids, self.loads, self.tags = [], {}, {}, [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        self.ids += [found["id"]] if "id" in found else []
        self.loads += [found[name] for name in ("src", "href", "xlink:href", "data", "action") if name in found]
        if found.get("data-of", "picture.sentence") != "picture.sentence":
            self.figures[found["data-of"]] = ""
        table = next((above["data-rows"] for _, above in self.open if "data-rows" in above), None)
        if tag == "tr" and table is not None:
            found["row"] = f"{table}.{sum(name.startswith(f'{table}.') for name in self.rows)}"
            self.rows[found["row"]] = []
        if tag in ("td", "th") and self.row() is not None:
            self.row().extend([""] * int(found.get("colspan", 1)))
        if tag not in self.EMPTY:
            self.open.append((tag, found))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def row(self):
        names = [found["row"] for _, found in self.open if "row" in found]
        return self.rows[names[-1]] if names else None

    def handle_data(self, text):
        for _, found in self.open:
            if found.get("data-of") in self.figures:
                self.figures[found["data-of"]] += text
        if self.row():
            self.row()[-1] += text


def at(data, path):
    for part in path.split("."):
        data = data[int(part)] if part.isdigit() else data[part]
    return data


def browse(folder, name, *options):
    """The DOM, what went to the log, and the addresses that were asked for over a network."""
    log = folder / "net.json"
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder}/profile",
    ]
    command += ["--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-sync"]
    command += [
        "--enable-logging=stderr",
        f"--log-net-log={log}",
        "--virtual-time-budget=5000",
        *options,
        "--dump-dom",
    ]
    found = subprocess.run(
        [*command, (folder / name).as_uri()], capture_output=True, text=True, timeout=100, check=True
    )
    # A browser asks for things of its own; these have no page as their origin.
    events = log.read_text(encoding="utf-8", errors="replace").splitlines()
    asked = [each for each in events if '"initiator":"' in each and '"initiator":"not an origin"' not in each]
    return found.stdout, found.stderr, asked


def fits(folder, name):
    """Where the page is too wide, by the width of its window."""
    (folder / "frames.html").write_text(FRAMES.replace("@PAGE@", name), encoding="utf-8")
    dom = browse(folder, "frames.html", "--allow-file-access-from-files")[0]
    return [width for width in ("360", "1280") if f'data-w{width}="fits"' not in dom]


def blind_spots(page):
    """What keeps somebody from reading the page without seeing it, and what it would load."""
    names = [tag for tag, _ in page.tags]
    found = [f"loads {link}" for link in page.loads if not link.startswith(("#", "data:,"))]
    found += ["has a script"] if "script" in names else []
    found += [f"{names.count('h1')} first heads"] if names.count("h1") != 1 else []
    found += ["a table without a caption"] if names.count("table") != names.count("caption") else []
    found += ["a figure without a caption"] if names.count("figure") != names.count("figcaption") else []
    found += ["an id twice"] if len(page.ids) != len(set(page.ids)) else []
    for tag, attributes in page.tags:
        if tag == "svg" and not (attributes.get("role") == "img" and ("aria-labelledby" in attributes or "aria-label" in attributes)):
            found.append(f"a picture without words: {attributes}")
        if tag == "svg" and not set(attributes.get("aria-labelledby", "").split()) <= set(page.ids):
            found.append(f"words of a picture are missing: {attributes}")
        if tag == "th" and attributes.get("scope") not in ("col", "row"):
            found.append(f"a head without a scope: {attributes}")
    return found
