"""Ranka in Python: the games, agents and laboratory of Ranka."""

from ranka._ranka import Batch

__all__ = ["Batch"]
