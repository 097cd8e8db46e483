"""Small pages for notebooks."""

from __future__ import annotations

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


def slideshow(frames: Sequence[tuple[str, str]]) -> str:
    """Frames (caption, SVG) to step through with a slider."""
    pages = "".join(
        f'<figure style="margin:0;max-width:30em;display:{"block" if number == 0 else "none"}">{svg}'
        f"<figcaption>{number}: {escape(caption)}</figcaption></figure>"
        for number, (caption, svg) in enumerate(frames)
    )
    step = (
        "const f=this.parentNode.querySelectorAll('figure');"
        "for(let i=0;i<f.length;i++)f[i].style.display=i==this.value?'block':'none'"
    )
    slider = f'<input type="range" min="0" max="{len(frames) - 1}" value="0" style="width:30em" oninput="{step}">'
    return f"<div>{slider}{pages}</div>"
