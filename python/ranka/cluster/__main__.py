"""`python -m ranka.cluster`: the laboratory's commands in the words of `ranka`, on a Ray cluster."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ranka import _ranka, cluster, lab, records
from ranka._ranka import Game
from ranka.lab import Progress, Result

NEVER_PLAYED = 3
"""The exit code of `ranka` when a program outside never played a legal action."""
RULINGS = {"h1": 0, "h0": 10, "undecided": 11}
"""The exit codes of a sequential test's verdicts, as those of `ranka sprt`."""
RESULTS = sys.stdout
"""Where results go, and nothing else: Ray tells there of nodes and workers that died, too."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m ranka.cluster",
        description="Plays the laboratory's games on a Ray cluster. What the store has is not played again, so a run "
        "that was stopped or killed goes on, here or by `ranka` itself.",
        epilog="What `ranka` has beside this is not here: `match --exact`, `--threads` (the cluster's processors "
        "play), `experiment show` and `schema`, and all commands that play nothing. Exit codes are those of `ranka`, "
        "and 1 where no cluster is reached.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    reproduce = commands.add_parser("reproduce", help="run a paper's experiments: published beside measured")
    reproduce.add_argument("what", nargs="?", metavar="PAPER[/EXPERIMENT]", help="the paper, or one experiment [all]")
    reproduce.add_argument("--list", action="store_true", help="only tell which experiments there are")
    _run_options(reproduce)
    experiment = commands.add_parser("experiment", help="run an experiment of your own")
    experiment.add_argument("verb", choices=["run"])
    experiment.add_argument("file", help="a TOML file (docs/experiments.md)")
    experiment.add_argument("--seed", type=int, metavar="S", help="instead of the file's seed")
    _run_options(experiment)
    match = commands.add_parser("match", help="play a match")
    _play_options(match, "agents", "+")
    match.add_argument("--games", type=_count, default=100, metavar="N")
    match.add_argument("--records", metavar="FILE", help="write a record of each game, as JSON lines")
    match.add_argument("--no-store", action="store_true", help="keep no game in the store, and take none from it")
    match.add_argument("--keep", type=_count, metavar="N", help="keep only the first so many games [all]")
    tournament = commands.add_parser("tournament", help="play a round robin")
    _play_options(tournament, "agents", "+")
    tournament.add_argument("--games", type=_count, default=100, metavar="N", help="of each pairing")
    tournament.add_argument("--points", type=_points, default=(3.0, 1.0, 0.0), metavar="WIN,DRAW,LOSS")
    tournament.add_argument("--final-of", type=_count, metavar="K")
    tournament.add_argument("--final-games", type=_count, metavar="N")
    tournament.add_argument("--out", metavar="FOLDER", help="write a report into this folder")
    sprt = commands.add_parser("sprt", help="play until a sequential test is decided (exit codes as of `ranka sprt`)")
    _play_options(sprt, "agents", 2)
    sprt.add_argument("--games", type=_count, default=10_000, metavar="MAX")
    for name in ("--elo0", "--elo1"):
        sprt.add_argument(name, type=float, required=True, metavar="ELO")
    for name in ("--alpha", "--beta"):
        sprt.add_argument(name, type=float, default=0.05, metavar="P")
    sprt.add_argument("--model", choices=["logistic", "normalized"], default="logistic")
    return parser


def _cluster_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--address", metavar="ADDRESS", help="auto, HOST:PORT, or local [RAY_ADDRESS, else local]")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="how long a task should take [2, more with many CPUs]"
    )
    parser.add_argument("--store", metavar="FILE", help="the store [RANKA_STORE, else the user's]")
    versions = parser.add_mutually_exclusive_group()
    versions.add_argument("--fresh", action="store_true", help="play everything again")
    versions.add_argument("--any-version", action="store_true", help="take games by other versions of the agents too")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each result")


def _run_options(parser: argparse.ArgumentParser) -> None:
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="few games, to see that it works")
    size.add_argument("--full", action="store_true", help="enough games for a verdict")
    size.add_argument("--games", type=_count, metavar="N", help="so many games a pairing")
    parser.add_argument("--out", metavar="FOLDER", help="write a report into this folder")
    parser.add_argument(
        "--table", choices=["auto", "full", "compact"], default="auto", help="the form of tables [compact if long]"
    )
    _cluster_options(parser)


def _play_options(parser: argparse.ArgumentParser, name: str, count: str | int) -> None:
    parser.add_argument("game")
    parser.add_argument(name, nargs=count, metavar="AGENT")
    parser.add_argument("--rules", default="", metavar="RULES")
    parser.add_argument("--map", metavar="MAP", help="a name or a .tbsmap file: short for --rules map=… (TUBSTAP)")
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
    own = args.command == "experiment"
    what, file, seed = (None, args.file, args.seed) if own else (args.what, None, None)
    if not own and args.list:
        text, listed = _ranka.listed_experiments(what)
        _print("".join(f"{line}\n" for line in listed) if args.json else text)
        return 0
    keeping = lab._keeping(args.store, args.fresh, args.any_version)
    report = lab._report(args.out, "python -m ranka.cluster", *sys.argv[1:])
    found = cluster._experiments(
        what, file, size, args.games, keeping, report, _told(), args.address, args.seconds, seed, args.table
    )
    for figures, _, _, text, heading in found:
        _print(f"{figures}\n" if args.json else heading + text)
    return _all_played(fault for one in found for fault in json.loads(one[0]).get("faults", []))


def _all_played(faults: Iterable[dict[str, Any]]) -> int:
    """The exit code, and a word if a program outside never played a legal action."""
    never = next((fault["agent"] for fault in faults if fault["never_played"]), None)
    if never is None:
        return 0
    print(f"ranka.cluster: {never} never played a legal action", file=sys.stderr)
    return NEVER_PLAYED


def _game(args: argparse.Namespace) -> Game:
    rules = args.rules
    if args.map is not None:
        quoted = args.map.replace("\\", "\\\\").replace('"', '\\"')
        rules = f'{rules}{"," * bool(rules)}map="{quoted}"'
    return _ranka.game(args.game, rules=rules)


def _playing(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "seed": args.seed,
        "seats": args.seats,
        "budget": args.budget,
        "ply_cap": args.ply_cap,
        "move_limit": None if args.move_limit is None else args.move_limit / 1000,
        "store": args.store,
        "fresh": args.fresh,
        "any_version": args.any_version,
        "progress": _told(),
        "address": args.address,
        "seconds": args.seconds,
    }


def _match(args: argparse.Namespace) -> int:
    playing = _playing(args)
    if args.no_store:
        if args.store or args.fresh or args.any_version or args.keep:
            raise ValueError("--no-store cannot be used with --store, --fresh, --any-version or --keep")
        playing["store"] = False
    written = _new_file(args.records)
    try:
        found = cluster.match(_game(args), args.agents, games=args.games, keep=args.keep, **playing)
        if written:
            records.write(written, found.records)
            os.replace(written, args.records)
    except BaseException:
        if written:
            os.unlink(written)
        raise
    _tell(found, args)
    never = zip(found.names, found.never_played, strict=True)
    return _all_played({"agent": name, "never_played": never_played} for name, never_played in never)


def _new_file(path: str | None) -> str | None:
    """A file beside the wanted one, which takes its place when it is whole; told at once if there can be none."""
    if path is None:
        return None
    new = f"{path}.new"
    with open(new, "w"):
        return new


def _tournament(args: argparse.Namespace) -> int:
    found = cluster.tournament(
        _game(args),
        args.agents,
        games=args.games,
        points=args.points,
        final_of=args.final_of,
        final_games=args.final_games,
        out=args.out,
        **_playing(args),
    )
    _tell(found, args)
    return _all_played(found.figures.get("faults", []))


def _sprt(args: argparse.Namespace) -> int:
    found = cluster.sprt(
        _game(args),
        *args.agents,
        elo0=args.elo0,
        elo1=args.elo1,
        alpha=args.alpha,
        beta=args.beta,
        normalized=args.model == "normalized",
        games=args.games,
        **_playing(args),
    )
    _tell(found, args)
    return _all_played(found.faults) or RULINGS[found.decision]


def _tell(found: Result, args: argparse.Namespace) -> None:
    _print(f"{found.json}\n" if args.json else found.text)


def _print(text: str) -> None:
    """Prints what the program would, byte for byte."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    RESULTS.buffer.write(text.encode())
    RESULTS.flush()


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "reproduce": _experiments,
    "experiment": _experiments,
    "match": _match,
    "tournament": _tournament,
    "sprt": _sprt,
}


def main(words: Sequence[str] | None = None) -> int:
    """Runs a command: 0 when the work was done, 2 for bad input, 130 after Ctrl-C, else as `ranka` or 1."""
    args = _parser().parse_args(words)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return COMMANDS[args.command](args)
    except (ValueError, TypeError, ModuleNotFoundError, ConnectionError) as error:
        print(f"ranka.cluster: {error}", file=sys.stderr)
        return 1 if isinstance(error, ConnectionError) else 2
    except (OSError, RuntimeError) as error:
        print(f"ranka.cluster: {error}{_kept(error, args)}", file=sys.stderr, flush=True)
        code = int(getattr(error, "exit_code", 1))
        if getattr(error, "cluster_gone", False):
            # Ray has threads that wait for its head node, and would end the program with words of its own.
            os._exit(code)
        return code
    except KeyboardInterrupt as stop:
        print(f"ranka.cluster: stopped{_kept(stop, args)}", file=sys.stderr)
        return 130


def _kept(error: BaseException, args: argparse.Namespace) -> str:
    """What there is to say of the games, if any could be played."""
    if not getattr(error, "cluster_joined", False):
        return ""
    if getattr(args, "no_store", False):
        return "\nNothing is kept."
    keep = getattr(args, "keep", None)
    what = "What was played" if keep is None else f"Of what was played, the first {keep} games"
    return f"\n{what} {'is' if keep is None else 'are'} kept, and the same command goes on."


if __name__ == "__main__":
    sys.exit(main())
