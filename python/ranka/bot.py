"""An agent of your own as a program that speaks the bot protocol: for the arena, the league and the command line.

A script that ends with `ranka.bot.main(MyAgent)` is an agent like any other, wherever agents are named:

    ranka match kalah 'bot:cmd="python3 my.py"' minimax:depth=3
"""

from __future__ import annotations

import os
import re
import sys

from ranka._agents import AgentLike, register
from ranka._ranka import serve_bot


def main(agent: AgentLike, name: str | None = None) -> None:
    """Plays as a bot on standard input and output until it is told to quit. `name` is what it is called; otherwise the
    name of its class.

    What the agent prints goes to standard error. One that raises, or whose answer is no action, ends the process with
    the reason there, and loses the game by `crash`; one that is not in time loses by `timeout`, one whose action is not
    legal by `illegal`.
    """
    called = name or getattr(agent, "name", None) or getattr(agent, "__name__", None) or type(agent).__name__
    key = re.sub(r"[^a-z0-9]+", "-", f"own-{called}".lower()).strip("-")
    register(key, agent)
    # A word of the agent's among those of the protocol would end the game.
    sys.stdout = sys.stderr
    try:
        serve_bot(key, str(called))
    except (OSError, ValueError) as error:
        print(f"{called}: {error}", file=sys.stderr, flush=True)
        # A thread that hangs is not waited for.
        os._exit(1)
    os._exit(0)
