"""Small pages for notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape


class Picture(str):
    """An SVG that notebooks show."""

    title: str  # type: ignore[assignment]

    def __new__(cls, svg: str, title: str = "") -> Picture:
        made = super().__new__(cls, svg)
        made.title = title
        return made

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<picture {self.title!r}>"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table."""
    head = "".join(f"<th>{escape(str(cell))}</th>" for cell in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<tr>{head}</tr>{body}</table>"


def percent(share: float | None) -> str:
    """A share in percent."""
    return "" if share is None else f"{100 * share:.1f} %"


#: About the most letters that a slideshow takes: a notebook keeps them all.
MOST_LETTERS = 2_000_000


def slideshow(frames: Sequence[tuple[str, str]]) -> str:
    """Frames (caption, SVG) to step through with a slider. What frames have in common is written once; of very many
    frames only every so many and the last are shown."""
    numbered = [(f"{number} of {len(frames) - 1}: {caption}", svg) for number, (caption, svg) in enumerate(frames)]
    shown, stride = _packed(numbered), 1
    while sum(map(len, shown)) > MOST_LETTERS and stride < len(frames):
        stride *= 2
        shown = _packed([*numbered[:-1:stride], numbered[-1]])
    parts, packed = shown
    step = (
        "const d=this.parentNode,[p,f]=d.shown??=[JSON.parse(d.dataset.parts),JSON.parse(d.dataset.frames)];"
        "const [c,...n]=f[this.value];d.querySelector('figure').innerHTML=n.map(i=>p[i]).join('');"
        "d.querySelector('p').textContent=c"
    )
    last = len(json.loads(packed)) - 1
    slider = f'<input type="range" min="0" max="{last}" value="0" style="width:30em" oninput="{step}">'
    first = f'<figure style="margin:0;max-width:30em">{numbered[0][1]}</figure><p>{escape(numbered[0][0])}</p>'
    return f"<div data-parts='{_quoted(parts)}' data-frames='{_quoted(packed)}'>{slider}{first}</div>"


def _packed(frames: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """As JSON: the elements of the drawings, and for each frame its caption and the numbers of its elements."""
    parts: dict[str, int] = {}
    numbers = [[parts.setdefault(part, len(parts)) for part in re.findall("<[^<]*", svg)] for _, svg in frames]
    packed = [[caption, *found] for (caption, _), found in zip(frames, numbers, strict=True)]
    return _compact(list(parts)), _compact(packed)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _quoted(text: str) -> str:
    """For an attribute in single quotes."""
    return text.replace("&", "&amp;").replace("'", "&#x27;")
