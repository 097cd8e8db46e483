"""Ranka in Python: the games, agents and laboratory of Ranka."""

from ranka._ranka import Batch, Network, encoding_version

__all__ = ["Batch", "Network", "encoding_version"]
