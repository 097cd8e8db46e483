"""The notebooks run from top to bottom; what needs PyTorch only where it is installed."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    pytest.importorskip("pandas")
    names: dict[str, Any] = {"__name__": path.stem}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            if source.startswith("import torch") and find_spec("torch") is None:
                pytest.skip(f"{path.name} ran up to its cells with PyTorch, which is not installed")
            # The last line of a cell is shown: what is shown must be drawable.
            exec(compile(source, str(path), "exec"), names)
    for shown in list(names.values()):
        for draw in ("_repr_svg_", "_repr_html_"):
            if hasattr(shown, draw) and not isinstance(shown, type) and not hasattr(shown, "to_numpy"):
                assert "<" in getattr(shown, draw)()
