"""`python -m ranka.cluster`: the laboratory's commands in the words of `ranka`, on a Ray cluster."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from ranka import _ranka, cluster, lab, records
from ranka.lab import Findings, Progress

RULINGS = {"h1": 0, "h0": 10, "undecided": 11}
"""The exit codes of a sequential test's verdicts, as those of `ranka sprt`."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ranka.cluster",
        description="Plays the laboratory's games on a Ray cluster. What the store has is not played again, so a run "
        "that was stopped or killed goes on, here or by `ranka` itself.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    reproduce = commands.add_parser("reproduce", help="run a paper's experiments: published beside measured")
    reproduce.add_argument("what", nargs="?", metavar="PAPER[/EXPERIMENT]", help="the paper, or one experiment [all]")
    _run_options(reproduce)
    experiment = commands.add_parser("experiment", help="run an experiment of your own")
    experiment.add_argument("verb", choices=["run"])
    experiment.add_argument("file", help="a TOML file (docs/experiments.md)")
    _run_options(experiment)
    match = commands.add_parser("match", help="play a match")
    _play_options(match, "agents", "+")
    match.add_argument("--games", type=_count, default=100, metavar="N")
    match.add_argument("--records", metavar="FILE", help="write a record of each game, as JSON lines")
    tournament = commands.add_parser("tournament", help="play a round robin")
    _play_options(tournament, "agents", "+")
    tournament.add_argument("--games", type=_count, default=100, metavar="N", help="of each pairing")
    tournament.add_argument("--points", type=_points, default=(3.0, 1.0, 0.0), metavar="WIN,DRAW,LOSS")
    tournament.add_argument("--final-of", type=_count, metavar="K")
    tournament.add_argument("--final-games", type=_count, metavar="N")
    tournament.add_argument("--any-version", action="store_true")
    sprt = commands.add_parser("sprt", help="play until a sequential test is decided (exit codes as of `ranka sprt`)")
    _play_options(sprt, "agents", 2)
    sprt.add_argument("--games", type=_count, default=10_000, metavar="MAX")
    for name in ("--elo0", "--elo1"):
        sprt.add_argument(name, type=float, required=True, metavar="ELO")
    for name in ("--alpha", "--beta"):
        sprt.add_argument(name, type=float, default=0.05, metavar="P")
    sprt.add_argument("--model", choices=["logistic", "normalized"], default="logistic")
    sprt.add_argument("--any-version", action="store_true")
    return parser


def _cluster_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", metavar="ADDRESS", help="auto, HOST:PORT, or local [RAY_ADDRESS, else local]")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="how long a task should take [2, more with many CPUs]"
    )
    parser.add_argument("--store", metavar="FILE", help="the store [RANKA_STORE, else the user's]")
    parser.add_argument("--fresh", action="store_true", help="play everything again")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each result")


def _run_options(parser: argparse.ArgumentParser) -> None:
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="few games, to see that it works")
    size.add_argument("--full", action="store_true", help="enough games for a verdict")
    size.add_argument("--games", type=_count, metavar="N", help="so many games a pairing")
    parser.add_argument("--any-version", action="store_true", help="take games by other versions of the agents")
    parser.add_argument("--out", metavar="FOLDER", help="write a report into this folder")
    _cluster_options(parser)


def _play_options(parser: argparse.ArgumentParser, name: str, count: str | int) -> None:
    parser.add_argument("game")
    parser.add_argument(name, nargs=count, metavar="AGENT")
    parser.add_argument("--rules", default="", metavar="RULES")
    parser.add_argument("--seed", type=int, default=0, metavar="S")
    parser.add_argument("--seats", default="swapped", choices=["swapped", "fixed", "permuted", "random"])
    parser.add_argument("--budget", metavar="BUDGET", help="nodes=N, playouts=N or ms=N")
    parser.add_argument("--ply-cap", type=_count, metavar="N")
    parser.add_argument("--move-limit", type=_count, metavar="MS")
    _cluster_options(parser)


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number from 1 on")
    return int(text)


def _points(text: str) -> tuple[float, float, float]:
    try:
        win, draw, loss = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected three numbers, such as 3,1,0") from None
    return win, draw, loss


def _told() -> Progress:
    """Progress on stderr: a line that is written over on a terminal, else one every half minute."""
    terminal, last = sys.stderr.isatty(), time.monotonic()

    def tell(done: int, games: int, words: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < (0.2 if terminal else 30):
            return
        last = now
        line = f"{done}/{games} games · {words}"
        print(f"\r\x1b[K{line}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    return tell


def _experiments(args: argparse.Namespace) -> int:
    size = "quick" if args.quick else "full" if args.full else "paper"
    what, file = (args.what, None) if args.command == "reproduce" else (None, args.file)
    keeping = lab._keeping(args.store, args.fresh, args.any_version)
    report = lab._report(args.out, "python -m ranka.cluster", *sys.argv[1:])
    found = cluster._experiments(what, file, size, args.games, keeping, report, _told(), args.address, args.seconds)
    for one in found:
        _print(one[0] if args.json else str(lab._findings(one)) + "\n")
    return 0


def _playing(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "seed": args.seed,
        "seats": args.seats,
        "budget": args.budget,
        "ply_cap": args.ply_cap,
        "move_limit": None if args.move_limit is None else args.move_limit / 1000,
        "store": args.store,
        "fresh": args.fresh,
        "progress": _told(),
        "address": args.address,
        "seconds": args.seconds,
    }


def _match(args: argparse.Namespace) -> int:
    game = _ranka.game(args.game, rules=args.rules)
    found = cluster.match(game, args.agents, games=args.games, **_playing(args))
    if args.records:
        records.write(args.records, found.records)
    _print(json.dumps(found.figures) if args.json else str(found))
    return 0


def _tournament(args: argparse.Namespace) -> int:
    found: Findings = cluster.tournament(
        _ranka.game(args.game, rules=args.rules),
        args.agents,
        games=args.games,
        points=args.points,
        final_of=args.final_of,
        final_games=args.final_games,
        any_version=args.any_version,
        **_playing(args),
    )
    _print(json.dumps(found.figures) if args.json else str(found))
    return 0


def _sprt(args: argparse.Namespace) -> int:
    found = cluster.sprt(
        _ranka.game(args.game, rules=args.rules),
        *args.agents,
        elo0=args.elo0,
        elo1=args.elo1,
        alpha=args.alpha,
        beta=args.beta,
        normalized=args.model == "normalized",
        games=args.games,
        any_version=args.any_version,
        **_playing(args),
    )
    _print(json.dumps(found.figures) if args.json else str(found))
    return RULINGS[found.decision]


def _print(text: str) -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    print(text)


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "reproduce": _experiments,
    "experiment": _experiments,
    "match": _match,
    "tournament": _tournament,
    "sprt": _sprt,
}


def main(words: Sequence[str] | None = None) -> int:
    """Runs a command: 0 when the work was done, 2 for bad input, 130 after Ctrl-C."""
    args = _parser().parse_args(words)
    try:
        return COMMANDS[args.command](args)
    except (ValueError, TypeError, ModuleNotFoundError, FileNotFoundError) as error:
        print(f"ranka.cluster: {error}", file=sys.stderr)
        return 2
    except (OSError, RuntimeError) as error:
        print(f"ranka.cluster: {error}\nWhat was played is kept, and the same command goes on.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("ranka.cluster: stopped; what was played is kept, and the same command goes on", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
