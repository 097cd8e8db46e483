"""Fixtures."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

# Whoever is started in the background is deaf to Ctrl-C, and what is tested with it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def own_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test touches the user's store."""
    monkeypatch.setenv("RANKA_STORE", str(tmp_path / "store.sqlite"))
