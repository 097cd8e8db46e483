#!/usr/bin/env python3
"""A bot for Ranka. It plays at random: make it think in choose()."""
import random
import sys


def choose(game, view, actions):
    """The action to take; `view` is what you see, in the game's notation."""
    return random.choice(actions)


def say(line):
    print(line, flush=True)  # a line that is not flushed never arrives


game = view = ""
actions = []
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "ranka":  # hello; it tells the protocol's version
        say("name My first bot")
        say("author Me")
        # say("games kalah geister")  # what it plays, if not everything
    elif word == "isready":
        say("ready")
    elif word == "newgame":
        game = rest.split()[0]
    elif word == "seed":  # the same seed, the same game again
        random.seed(int(rest))
    elif word == "view":
        view = rest
    elif word == "actions":
        actions = rest.split()
    elif word == "go":
        say("action " + choose(game, view, actions))
    elif word == "quit":
        break
    # All else (rules, seats, seat, did, over, stop, and what later versions bring) need not be heard.
