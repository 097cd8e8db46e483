"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from pathlib import Path

import pytest

import ranka
from ranka import _ranka

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def documented() -> Iterator[tuple[str, str]]:
    """Everything of the compiled half, with its docstring."""
    for name, thing in vars(_ranka).items():
        if name.startswith("__"):
            continue
        yield name, thing.__doc__ or ""
        if isinstance(thing, type):
            for part, member in vars(thing).items():
                if not part.startswith("_"):
                    yield f"{name}.{part}", getattr(member, "__doc__", None) or ""


def test_everything_is_documented() -> None:
    missing = [name for name, text in documented() if not text.strip()]
    assert not missing


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, t in documented() if ">>>" in t])
def test_docstrings(name: str, text: str) -> None:
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(text, {}, name, None, None))
    assert runner.failures == 0


def test_the_page() -> None:
    for module in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(module)
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


def test_the_page_names_what_there_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in ("match", "sprt", "tournament", "reproduce", "experiment"):
        assert f"ranka.{name}" in page
        assert hasattr(ranka, name)
