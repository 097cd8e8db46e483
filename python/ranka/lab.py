"""The laboratory: matches, sequential tests, tournaments and experiments, over the program's own calls and store."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ranka import _ranka
from ranka._agents import AgentLike, at_table
from ranka._html import Picture, percent, table
from ranka._ranka import Game, Table
from ranka.records import Record

Seats = Literal["swapped", "fixed", "permuted", "random"]
Path: TypeAlias = "str | os.PathLike[str]"
Progress = Callable[[int, int, str], None]


@contextmanager
def _bar(wanted: bool | Progress) -> Iterator[Progress | None]:
    """A progress bar where tqdm is there and somebody looks."""
    if callable(wanted):
        yield wanted
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(total=None, unit="game", disable=None if wanted else True, leave=False) as bar:

        def tell(done: int, games: int, words: str) -> None:
            bar.total = games or None
            bar.set_postfix_str(words, refresh=False)
            bar.update(done - bar.n)

        yield tell


def _opened(game: Game | str) -> Game:
    return _ranka.game(game) if isinstance(game, str) else game


def _at_least(least: int, **given: int | None) -> None:
    """Refuses numbers that are too small, by name."""
    for name, number in given.items():
        if number is not None and number < least:
            raise ValueError(f"{name} {number}: expected a whole number from {least} on")


def _conditions(
    seed: int, seats: Seats, ply_cap: int | None, budget: str | None, move_limit: float | None, threads: int | None
) -> dict[str, Any]:
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed {seed}: expected a whole number from 0 to {2**64 - 1}")
    _at_least(0, ply_cap=ply_cap)
    _at_least(1, threads=threads)
    return {
        "seed": seed,
        "seats": seats,
        "ply_cap": ply_cap,
        "budget": budget,
        "move_limit": move_limit,
        "threads": threads,
    }


def _keeping(store: Path | None, fresh: bool, any_version: bool) -> dict[str, Any]:
    path = None if store is None else os.fspath(store)
    return {"store": path, "fresh": fresh, "any_version": any_version, "most": None}


def _match_keeping(
    store: Path | bool | None, fresh: bool, any_version: bool, keep: int | None
) -> dict[str, Any] | None:
    """Of a match, which may do without a store. `True` is the usual one."""
    if store is None or store is False:
        return None
    _at_least(0, keep=keep)
    return {**_keeping(None if store is True else store, fresh, any_version), "most": keep}


def _report(out: Path | None, *command: str | None) -> tuple[str, str] | None:
    """The folder of a report, and what it says that it was made by."""
    return None if out is None else (os.fspath(out), " ".join(word for word in command if word))


@dataclass(frozen=True)
class Result:
    """What games came to: the figures of `--json` as attributes, and the games."""

    figures: dict[str, Any]
    games_table: Table | None = field(repr=False)
    json: str = field(repr=False, compare=False)
    """What the program prints with `--json`."""
    text: str = field(repr=False, compare=False)
    """What the program prints without."""

    def __getattr__(self, name: str) -> Any:
        if name == "figures" or name.startswith("__"):
            # While it is unpickled it has none yet.
            raise AttributeError(name)
        try:
            return self.figures[name]
        except KeyError:
            known = ", ".join(sorted(self.figures))
            raise AttributeError(f"no figure {name!r}; there are: {known}") from None

    def to_arrow(self) -> Table:
        """The games as a table, one row each, that pandas, polars, pyarrow and DuckDB read without a copy."""
        if self.games_table is None:
            raise ValueError("no games were played")
        return self.games_table


@dataclass(frozen=True)
class MatchResult(Result):
    """A match."""

    lines: list[str] = field(repr=False)

    @property
    def records(self) -> list[Record]:
        """The games."""
        return [Record.read(line) for line in self.lines]

    def __str__(self) -> str:
        return "\n".join(
            f"{name}: {wins}–{draws}–{losses}, {percent(score)} ({percent(low)} to {percent(high)})"
            for name, (wins, draws, losses), score, (low, high) in self._rows()
        )

    def _rows(self) -> Iterator[tuple[str, list[int], float | None, list[float]]]:
        f = self.figures
        yield from zip(f["names"], f["results"], f["scores"], f["intervals"], strict=True)

    def _repr_html_(self) -> str:
        rows = [
            (name, *counts, percent(score), f"{percent(low)} to {percent(high)}")
            for name, counts, score, (low, high) in self._rows()
        ]
        caption = f"{self.figures['game']}, {self.figures['games']} games, seed {self.figures['seed']}"
        return table(["agent", "won", "drawn", "lost", "score", "95 %"], rows, caption)

    def plot(self) -> Picture:
        """Scores with their intervals."""
        return _scores_plot([(name, score, interval) for name, _, score, interval in self._rows()])


def _scores_plot(rows: Sequence[tuple[str, float | None, Sequence[float]]]) -> Picture:
    """Scores between 0 and 1 with their intervals, one below the other."""
    from html import escape

    width, left, line = 640, 240, 32
    height = line * len(rows) + 40
    at = [left + (width - left - 20) * share / 4 for share in range(5)]
    parts = [f'<line x1="{x}" x2="{x}" y1="10" y2="{height - 26}" stroke="#d9d2c2"/>' for x in at]
    parts += [
        f'<text x="{x}" y="{height - 8}" text-anchor="middle" fill="#6f6a5e">{25 * i} %</text>'
        for i, x in enumerate(at)
    ]
    span = at[4] - at[0]
    for number, (name, score, (low, high)) in enumerate(rows):
        y = line * number + 26
        parts.append(f'<text x="{left - 12}" y="{y + 4}" text-anchor="end" fill="#22201c">{escape(name)}</text>')
        parts.append(
            f'<line x1="{at[0] + span * low:.1f}" x2="{at[0] + span * high:.1f}" y1="{y}" y2="{y}"'
            ' stroke="#0072B2" stroke-width="3"/>'
        )
        if score is not None:
            parts.append(f'<circle cx="{at[0] + span * score:.1f}" cy="{y}" r="5" fill="#0072B2"/>')
    box = f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>'
    return Picture(f"{head}<title>Scores with 95 % intervals</title>{''.join(parts)}</svg>", "scores")


@dataclass(frozen=True)
class SprtResult(Result):
    """A sequential test: `decision` is `h0`, `h1` or `undecided`."""

    def __str__(self) -> str:
        f = self.figures
        low, high = f["bounds"]
        return f"{f['decision']} after {f['games']} games: LLR {f['llr']:+.2f} in {low:.2f} to {high:.2f}"

    def _repr_html_(self) -> str:
        f = self.figures
        told = ("decision", "games", "wins", "draws", "losses", "pairs", "llr", "bounds", "score", "elo")
        return table(["figure", "value"], [(name, f[name]) for name in told], " against ".join(f["names"]))


@dataclass(frozen=True)
class Findings(Result):
    """What an experiment found: `rows`, `tests`, `league`, `pairings` as in the program's JSON."""

    plots: list[Picture] = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        f = self.figures
        if f["league"]:
            ratings = f["league"]["ratings"] or [None] * len(f["league"]["table"])
            rows = [
                (
                    s["name"],
                    *s["results"],
                    f"{s['points']:g}",
                    "" if r is None else f"{r['elo']:+.0f} ± {r['error']:.0f}",
                )
                for s, r in zip(f["league"]["table"], ratings, strict=True)
            ]
            return table(["agent", "won", "drawn", "lost", "points", "Elo"], rows, str(f["title"]))
        rows = [(row["label"], row["figure"], _published(row), _measured(row), row["verdict"]) for row in f["rows"]]
        return table(["", "figure", "published", "measured", "verdict"], rows, str(f["title"]))


def _measured(row: dict[str, Any]) -> str:
    value, (low, high) = row["measured"]["value"], row["measured"]["interval"]
    if value is None:
        return "no games"
    return f"{_figure(value, row)} ({_figure(low, row)} to {_figure(high, row)})"


def _published(row: dict[str, Any]) -> str:
    reference = row["reference"]
    return "" if reference is None else _figure(reference["value"], row)


def _figure(value: float, row: dict[str, Any]) -> str:
    return percent(value) if row["percent"] else f"{value:.3g}"


def match(
    game: Game | str,
    agents: Sequence[AgentLike],
    *,
    games: int = 100,
    seed: int = 0,
    seats: Seats = "swapped",
    threads: int | None = None,
    ply_cap: int | None = None,
    budget: str | None = None,
    move_limit: float | None = None,
    store: Path | bool | None = False,
    fresh: bool = False,
    any_version: bool = False,
    keep: int | None = None,
    progress: bool | Progress = True,
) -> MatchResult:
    """Plays a match. The same seed gives the same records as `ranka match`, with any number of threads.

    `move_limit` is in seconds: an agent that thinks longer loses the game. Games are kept only in a `store` that is
    named (`True`: the usual one), and then what it has is not played again; `keep` only keeps the first so many.

    >>> import ranka
    >>> result = ranka.match("kalah", ["minimax:depth=3", "random"], games=20, seed=7)
    >>> result.games, result.scores[0] > 0.8
    (20, True)
    """
    _at_least(0, games=games)
    conditions = _conditions(seed, seats, ply_cap, budget, move_limit, threads)
    with _bar(progress) as bar:
        seated = at_table(agents)
        keeping = _match_keeping(store, fresh, any_version, keep)
        found = _ranka.play_match(_opened(game), seated, games, conditions, bar, keeping)
    return _match_result(found)


def _match_result(found: tuple[str, Table, list[str], str]) -> MatchResult:
    figures, games_table, lines, text = found
    return MatchResult(json.loads(figures), games_table, figures, text, lines)


def sprt(
    game: Game | str,
    a: AgentLike,
    b: AgentLike,
    *,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    normalized: bool = False,
    games: int = 10_000,
    seed: int = 0,
    seats: Seats = "swapped",
    threads: int | None = None,
    ply_cap: int | None = None,
    budget: str | None = None,
    move_limit: float | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    progress: bool | Progress = True,
) -> SprtResult:
    """Plays until it is decided whether `a` is stronger than `b` by `elo1` (H1) rather than `elo0` (H0)."""
    _at_least(0, games=games)
    conditions = _conditions(seed, seats, ply_cap, budget, move_limit, threads)
    test = (elo0, elo1, alpha, beta, normalized)
    with _bar(progress) as bar:
        agents = at_table([a, b])
        keeping = _keeping(store, fresh, any_version)
        found = _ranka.play_sprt(_opened(game), agents, test, games, conditions, keeping, bar)
    return _sprt_result(found)


def _sprt_result(found: tuple[str, Table, str]) -> SprtResult:
    figures, games_table, text = found
    return SprtResult(json.loads(figures), games_table, figures, text)


def tournament(
    game: Game | str,
    agents: Sequence[AgentLike],
    *,
    games: int = 100,
    points: tuple[float, float, float] = (3, 1, 0),
    final_of: int | None = None,
    final_games: int | None = None,
    seed: int = 0,
    seats: Seats = "swapped",
    threads: int | None = None,
    ply_cap: int | None = None,
    budget: str | None = None,
    move_limit: float | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    out: Path | None = None,
    progress: bool | Progress = True,
) -> Findings:
    """Plays a round robin, with ratings and standings. Games that the store has are not played again."""
    _at_least(0, games=games, final_of=final_of, final_games=final_games)
    conditions = _conditions(seed, seats, ply_cap, budget, move_limit, threads)
    with _bar(progress) as bar:
        found = _ranka.play_tournament(
            _opened(game),
            at_table(agents),
            games,
            list(points),
            final_of,
            final_games,
            conditions,
            _keeping(store, fresh, any_version),
            bar,
            _report(out, "ranka.tournament"),
        )
    return _findings(found)


def _findings(found: _ranka.Found) -> Findings:
    figures, games_table, drawings, text, _ = found
    pictures = [Picture(svg, title) for title, svg in drawings]
    return Findings(json.loads(figures), games_table, figures, text, pictures)


def reproduce(
    what: str | None = None,
    *,
    size: Literal["quick", "paper", "full"] = "quick",
    games: int | None = None,
    threads: int | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    out: Path | None = None,
    progress: bool | Progress = True,
) -> list[Findings]:
    """Runs the experiments of a paper, or one as `paper/experiment`: published beside measured. `out` is a folder for a
    report: pages, plots, tables, games."""
    _at_least(0, games=games)
    _at_least(1, threads=threads)
    with _bar(progress) as bar:
        keeping = _keeping(store, fresh, any_version)
        report = _report(out, "ranka.reproduce", what)
        found = _ranka.play_experiment(what, None, size, games, threads, keeping, bar, report)
    return [_findings(one) for one in found]


def experiment(
    file: Path,
    *,
    size: Literal["quick", "paper", "full"] = "quick",
    games: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    out: Path | None = None,
    progress: bool | Progress = True,
) -> Findings:
    """Runs an experiment of your own, a TOML file (docs/experiments.md). `seed` takes the place of the file's."""
    _at_least(0, games=games)
    _at_least(1, threads=threads)
    with _bar(progress) as bar:
        keeping = _keeping(store, fresh, any_version)
        report = _report(out, "ranka.experiment", os.fspath(file))
        (found,) = _ranka.play_experiment(None, os.fspath(file), size, games, threads, keeping, bar, report, seed=seed)
    return _findings(found)
