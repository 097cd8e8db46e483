"""Self-play policy gradients (PPO) with a pull towards a slowly moving reference policy.

Plain self-play runs in circles in games of hidden information. What keeps it near an equilibrium here: the pull towards
the slow reference (as in R-NaD), games against past snapshots, and games against scripted and searching opponents,
without which a policy forgets how to answer what it never meets.

    python -m ranka.learn.ppo geister --minutes 10 --out runs/geister
"""

from __future__ import annotations

import argparse
import copy
import json
import queue
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import ranka
from ranka.learn.arrays import Arrays, masked, outcomes_of, sampled, scores_of, turned
from ranka.learn.export import opened
from ranka.learn.network import Critic, Policy, Shape
from ranka.learn.panel import panel_of
from ranka.learn.recipes import RECIPES, Recipe


@dataclass
class Segment:
    """Some plies of many games, as (plies, games, …)."""

    observations: Tensor
    masks: Tensor
    actions: Tensor
    logp: Tensor
    targets: Tensor
    advantages: Tensor
    actors: Tensor
    learns: Tensor
    # Points of the learner in games that ended against another network, and how many these were.
    points: float = 0.0
    ended: int = 0


class Networks:
    """Who plays and who judges, in half precision where there is a GPU."""

    def __init__(self, policy: Policy, critic: Critic, opponent: Policy, device: torch.device) -> None:
        self.policy, self.critic, self.opponent = policy, critic, opponent
        self.device = device
        self.dtype = torch.bfloat16 if device.type == "cuda" else torch.float32

    def half(self) -> torch.autocast:
        return torch.autocast(self.device.type, dtype=self.dtype, enabled=self.device.type == "cuda")

    def policy_on(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        with self.half():
            return self.policy(x)

    def opponent_on(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        with self.half():
            return self.opponent(x)

    def critic_on(self, x: Tensor) -> Tensor:
        with self.half():
            return self.critic(x)


class Learner:
    def __init__(self, game: str, recipe: Recipe, args: argparse.Namespace) -> None:
        self.game, self.recipe, self.args = game, recipe, args
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(args.seed)
        torch.set_float32_matmul_precision("high")
        torch.backends.cudnn.benchmark = True
        # One batch of games is stepped while the networks look at the other.
        games = (args.games or recipe.games) // 2
        free = [(name, max(1, int(share * games))) for name, share in recipe.scripted]
        self.main = [
            Arrays(
                game,
                recipe,
                games,
                args.seed + 1000 * half,
                self.device,
                all_seats=recipe.hidden,
                opponents=free,
                threads=args.threads,
                pinned=True,
                rules=recipe.rules,
            )
            for half in range(2)
        ]
        self.scripted_places = sum(places for _, places in free)
        batch = self.main[0].batch
        height, width, planes, loose = batch.action_layout
        self.seats = batch.rewards.shape[1]
        self.shape = Shape(
            len(batch.planes),
            height,
            width,
            planes,
            loose,
            self.seats,
            args.channels,
            args.blocks,
            1 if recipe.belief else 0,
        )
        self.belief_plane = batch.planes.index(recipe.belief) if recipe.belief else None
        self.other_plane = batch.planes.index("other's ghosts") if recipe.belief else None
        hints = [i for i, name in enumerate(batch.planes) if recipe.hint and name.startswith(recipe.hint[0])]
        assert len(hints) == (planes if recipe.hint else 0), "a hint for each plane of actions"
        self.hints = torch.tensor(hints, device=self.device)
        # All channels of a cell together: the layout in which a GPU convolves at once.
        self.policy = Policy(self.shape).to(self.device, memory_format=torch.channels_last)
        critic = Critic(self.shape, self.seats if recipe.hidden else 1)
        self.critic = critic.to(self.device, memory_format=torch.channels_last)
        self.reference = copy.deepcopy(self.policy)
        self.past: list[dict[str, Tensor]] = []
        self.networks = Networks(self.policy, self.critic, copy.deepcopy(self.policy), self.device)
        self.dtype = self.networks.dtype
        compiled = torch.compile if args.compile else lambda module: module
        self.quick_policy, self.quick_critic = compiled(self.policy), compiled(self.critic)
        self.quick_reference = compiled(self.reference)
        self.optimizer = torch.optim.Adam(
            [*self.policy.parameters(), *self.critic.parameters()],
            lr=args.lr,
            eps=1e-5,
            fused=self.device.type == "cuda",
        )
        self.steps = 0
        self.decisions = 0
        # So many times yet the critic learns and the policy does not.
        self.critic_alone = 0
        if args.resume:
            self.load(Path(args.resume))
        self.began_at = self.steps
        self.begun = time.time()
        self.weights_lock = threading.Lock()
        # What others take the weights from while these here change.
        self.shown, self.shown_critic = copy.deepcopy(self.policy), copy.deepcopy(self.critic)
        self.exploiters: list[dict[str, Tensor]] = []

    def show(self) -> None:
        with self.weights_lock:
            self.shown.load_state_dict(self.policy.state_dict())
            self.shown_critic.load_state_dict(self.critic.state_dict())
            self.settle()

    def settle(self) -> None:
        """Waits until the device has done all that it was asked: other threads ask it by streams of their own."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def kept(self) -> dict[str, Tensor]:
        """A copy of the weights as they are."""
        weights = {k: v.clone() for k, v in self.policy.state_dict().items()}
        self.settle()
        return weights

    def progress(self) -> float:
        return min(1.0, (time.time() - self.begun) / (60 * self.args.minutes))

    # Play.
    def roll(self, networks: Networks, arrays: Arrays, plies: int, past_places: slice | None) -> Segment:
        """Plays some plies in every game and judges them."""
        games = arrays.batch.actors.shape[0]
        device, seats = self.device, self.seats
        shape = arrays.observed(self.dtype).shape
        observations = torch.empty((plies, *shape), dtype=self.dtype, device=device)
        masks = torch.empty((plies, *arrays.batch.masks.shape), dtype=torch.bool, device=device)
        actions = torch.empty((plies, games), dtype=torch.long, device=device)
        logp = torch.empty((plies, games), device=device)
        actors = torch.empty((plies, games), dtype=torch.long, device=device)
        values = torch.empty((plies + 1, games, self.shape.outcomes), device=device)
        ended = torch.zeros((plies, games), dtype=torch.bool, device=device)
        results = torch.zeros((plies, games, self.shape.outcomes), device=device)
        learns = torch.ones((plies, games), dtype=torch.bool, device=device)
        points, over = 0.0, 0
        with torch.no_grad():
            for ply in range(plies + 1):
                x = arrays.observed(self.dtype)
                actor = torch.from_numpy(arrays.batch.actors).to(device).long()
                flat = x.flatten(1, 2).contiguous(memory_format=torch.channels_last)
                value = torch.softmax(networks.critic_on(flat).float(), dim=-1)
                values[ply] = turned(value, actor, seats, back=True)
                if ply == plies:
                    break
                own = x[:, 0].contiguous(memory_format=torch.channels_last)
                logits = networks.policy_on(own)[0]
                mask = arrays.masks()
                if past_places is not None:
                    # In these places the past has the second seat in even games and the first in odd ones.
                    place = torch.arange(past_places.start, past_places.stop, device=device)
                    theirs = actor[past_places] == 1 - place % 2
                    other = networks.opponent_on(own[past_places])[0]
                    logits = logits.clone()
                    logits[past_places] = torch.where(theirs.unsqueeze(1), other, logits[past_places])
                    learns[ply, past_places] = ~theirs
                logits = masked(logits, mask)
                action = sampled(logits)
                observations[ply], masks[ply], actions[ply], actors[ply] = x, mask, action, actor
                logp[ply] = torch.log_softmax(logits, dim=-1).gather(1, action.unsqueeze(1)).squeeze(1)
                arrays.step(action)
                ended[ply] = torch.from_numpy(arrays.batch.ends).to(device) > 0
                if past_places is not None:
                    rewards, ends = arrays.batch.rewards[past_places], arrays.batch.ends[past_places] > 0
                    own_seats = np.arange(past_places.start, past_places.stop) % 2
                    points += float(rewards[np.arange(len(rewards)), own_seats][ends].sum())
                    over += int(ends.sum())
                results[ply] = outcomes_of(torch.from_numpy(arrays.batch.rewards).to(device), seats)
            # λ-returns of outcome probabilities, in fixed seat order.
            lam = self.args.lam
            target = torch.empty((plies, games, self.shape.outcomes), device=device)
            following = values[plies]
            for ply in reversed(range(plies)):
                following = torch.where(
                    ended[ply].unsqueeze(-1), results[ply], (1 - lam) * values[ply + 1] + lam * following
                )
                target[ply] = following
            scores = [scores_of(outcomes, seats) for outcomes in (target, values[:plies])]
            expected, before = (score.gather(-1, actors.unsqueeze(-1)).squeeze(-1) for score in scores)
            advantages = 2 * (expected - before)
        with self.weights_lock:
            self.decisions += plies * games
        return Segment(observations, masks, actions, logp, target, advantages, actors, learns, points, over)

    # Learning.
    def losses(
        self,
        x: Tensor,
        mask: Tensor,
        action: Tensor,
        old: Tensor,
        advantage: Tensor,
        target: Tensor,
        entropy_weight: Tensor,
        hint_weight: float,
    ) -> tuple[Tensor, Tensor]:
        args = self.args
        own = x[:, 0].contiguous(memory_format=torch.channels_last)
        with self.networks.half():
            logits, value, belief = self.quick_policy(own)
            judged = self.quick_critic(x.flatten(1, 2).contiguous(memory_format=torch.channels_last)).float()
            with torch.no_grad():
                reference = self.quick_reference(own)[0]
        logits = masked(logits, mask)
        reference = torch.log_softmax(masked(reference, mask), dim=-1)
        log_policy = torch.log_softmax(logits, dim=-1)
        probabilities = log_policy.exp()
        logp = log_policy.gather(1, action.unsqueeze(1)).squeeze(1)
        ratio = (logp - old).exp()
        gain = torch.minimum(ratio * advantage, ratio.clamp(1 - args.clip, 1 + args.clip) * advantage)
        entropy = -(probabilities * log_policy).sum(dim=-1)
        pull = (probabilities * (log_policy - reference)).sum(dim=-1)
        critic_loss = -(target * torch.log_softmax(judged, dim=-1)).sum(dim=-1).mean()
        value_loss = -(target * torch.log_softmax(value.float(), dim=-1)).sum(dim=-1).mean()
        loss = -gain.mean() - entropy_weight * entropy.mean() + args.pull * pull.mean() + critic_loss + 0.5 * value_loss
        if self.critic_alone > 0:
            loss = critic_loss
        if self.recipe.hint and hint_weight > 0:
            hint = torch.log_softmax(masked(self.recipe.hint[1] * own[:, self.hints].flatten(1), mask), dim=-1)
            loss = loss + hint_weight * (hint.exp() * (hint - log_policy)).sum(dim=-1).mean()
        belief_loss = loss.new_zeros(())
        if self.belief_plane is not None:
            truth = x[:, 1, self.belief_plane].flip((1, 2)).float()
            there = x[:, 0, self.other_plane].float()
            each = F.binary_cross_entropy_with_logits(belief[:, 0].float(), truth, reduction="none")
            belief_loss = (each * there).sum() / there.sum().clamp(min=1)
            loss = loss + 0.5 * belief_loss
        told = torch.stack(
            (entropy.mean(), pull.mean(), critic_loss, value_loss, belief_loss, (ratio - 1).abs().mean())
        )
        return loss, told.detach()

    def learn(self, segments: list[Segment]) -> Tensor:
        args = self.args

        def flat(name: str) -> Tensor:
            return torch.cat([getattr(s, name).flatten(0, 1)[s.learns.flatten()] for s in segments])

        x, mask, action, old = flat("observations"), flat("masks"), flat("actions"), flat("logp")
        advantage, actors = flat("advantages"), flat("actors")
        target = turned(flat("targets"), actors, self.seats)
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        done = self.progress()
        # Adam knows nothing of its first gradients' sizes: small steps until it does.
        known = min(1.0, (self.steps - self.began_at + 1) / 300)
        for group in self.optimizer.param_groups:
            group["lr"] = known * (args.lr + (args.lr_end - args.lr) * done)
        weight = torch.tensor(
            max(args.entropy + (args.entropy_end - args.entropy) * min(1.0, 1.5 * done), args.entropy_end),
            device=self.device,
        )
        hint_weight = max(0.0, 1 - done / args.hint) if args.hint > 0 else 0.0
        order = torch.randperm(len(action), device=self.device)
        size = min(args.minibatch, len(order))
        told = []
        for start in range(0, len(order) - size + 1, size):
            pick = order[start : start + size]
            loss, stats = self.losses(
                x[pick], mask[pick], action[pick], old[pick], advantage[pick], target[pick], weight, hint_weight
            )
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
            nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)
            self.optimizer.step()
            with torch.no_grad():
                for slow, fast in zip(self.reference.parameters(), self.policy.parameters(), strict=True):
                    slow.lerp_(fast, args.follow)
            told.append(stats)
            self.steps += 1
        self.critic_alone -= 1
        self.show()
        return torch.stack(told).mean(dim=0)

    # Play beside learning, by the weights of a moment ago.
    def play(
        self,
        arrays: Arrays,
        plies: int,
        past_places: slice | None,
        seed: int,
        out: queue.Queue[Segment],
        stop: threading.Event,
    ) -> None:
        """Rolls one segment after the other until it is stopped."""
        policy, critic, opponent = (copy.deepcopy(network) for network in (self.policy, self.critic, self.policy))
        networks = Networks(policy, critic, opponent, self.device)
        if self.args.against:
            networks.opponent.load_state_dict(self.networks.opponent.state_dict())
        rng = np.random.default_rng(seed)
        stream = torch.cuda.Stream() if self.device.type == "cuda" else None
        with torch.cuda.stream(stream):
            while not stop.is_set():
                with self.weights_lock:
                    networks.policy.load_state_dict(self.shown.state_dict())
                    networks.critic.load_state_dict(self.shown_critic.state_dict())
                    past = self.opponents(rng)
                    if past and past_places is not None:
                        networks.opponent.load_state_dict(past)
                    if stream:
                        stream.synchronize()
                places = past_places if past or self.args.against else None
                segment = self.roll(networks, arrays, plies, places)
                if stream:
                    stream.synchronize()
                while not stop.is_set():
                    try:
                        out.put(segment, timeout=1)
                        break
                    except queue.Full:
                        continue

    def opponents(self, rng: np.random.Generator) -> dict[str, Tensor] | None:
        """Weights to play against, if there are any."""
        pool = self.exploiters if self.exploiters and rng.integers(2) else self.past
        return pool[rng.integers(len(pool))] if pool and not self.args.against else None

    def searching(self) -> Arrays:
        """Games against opponents that think, on the other cores."""
        return Arrays(
            self.game,
            self.recipe,
            sum(games for _, games in self.recipe.searching),
            self.args.seed + 1,
            self.device,
            all_seats=self.recipe.hidden,
            opponents=self.recipe.searching,
            threads=self.args.threads,
            rules=self.recipe.panel_rules,
        )

    def save(self, path: Path) -> None:
        torch.save(
            {
                "shape": self.shape.dict(),
                "game": self.game,
                "policy": self.policy.state_dict(),
                "critic": self.critic.state_dict(),
                "reference": self.reference.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "steps": self.steps,
                "decisions": self.decisions,
            },
            path,
        )

    def load(self, path: Path) -> None:
        if path.suffix == ".net":
            # It has no critic: that one learns anew, and nobody listens to it before it knows something.
            self.critic_alone = 10
            try:
                game, encoding, policy = opened(path)
            except (OSError, ValueError) as error:
                raise SystemExit(str(error)) from None
            version = ranka.encoding_version(self.game, self.recipe.rules)
            if game != self.game or encoding != version or policy.shape != self.shape:
                raise SystemExit(f"{path}: made for {game} with other rules, another encoding or other sizes")
            self.policy.load_state_dict(policy.state_dict())
            self.reference.load_state_dict(policy.state_dict())
            return
        kept = torch.load(path, map_location=self.device, weights_only=True)
        self.policy.load_state_dict(kept["policy"])
        self.critic.load_state_dict(kept["critic"])
        self.reference.load_state_dict(kept["reference"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.steps, self.decisions = kept["steps"], kept["decisions"]


class Exploiter:
    """A second network that learns only to beat the first, so that the first meets its own holes while it learns."""

    def __init__(self, learner: Learner, args: argparse.Namespace) -> None:
        own = copy.copy(args)
        own.seed, own.resume, own.games = args.seed + 2, None, learner.main[0].batch.actors.shape[0]
        own.entropy, own.entropy_end, own.pull = 0.02, 0.01, 0.01
        own.lr = own.lr_end = args.lr
        self.learner, self.minutes = learner, args.exploiter_minutes
        self.network = Learner(learner.game, learner.recipe, own)
        games = self.network.main[0].batch.actors.shape[0]
        self.places = slice(self.network.scripted_places, games)
        self.score = 0.5
        self.renew()

    def renew(self) -> None:
        """Begins again from the weights that it is to beat."""
        self.begun = time.time()
        state = self.learner.policy.state_dict()
        self.network.policy.load_state_dict(state)
        self.network.reference.load_state_dict(state)
        self.network.critic.load_state_dict(self.learner.critic.state_dict())
        kept = self.learner.kept()
        with self.learner.weights_lock:
            self.learner.exploiters = [*self.learner.exploiters[-7:], kept]

    def learn(self) -> None:
        networks = self.network.networks
        networks.opponent.load_state_dict(self.learner.policy.state_dict())
        plies = self.learner.recipe.plies
        segments = [self.network.roll(networks, arrays, plies, self.places) for arrays in self.network.main]
        self.network.learn(segments)
        if ended := sum(segment.ended for segment in segments):
            self.score += 0.1 * (sum(segment.points for segment in segments) / ended - self.score)
        # The newest of the pool is always the present one.
        kept = self.network.kept()
        with self.learner.weights_lock:
            self.learner.exploiters[-1] = kept
        if time.time() - self.begun > 60 * self.minutes:
            self.renew()


def taken(segments: queue.Queue[Segment], players: list[threading.Thread]) -> Segment:
    """The next segment; an error if whoever plays has died."""
    while True:
        try:
            return segments.get(timeout=5)
        except queue.Empty:
            if not all(player.is_alive() for player in players):
                raise SystemExit("a thread that plays has ended; its error stands above") from None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(RECIPES))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--minibatch", type=int, default=16384)
    parser.add_argument("--lr", type=float, default=6e-4)
    parser.add_argument("--lr-end", type=float, default=3e-5)
    parser.add_argument("--entropy", type=float, default=0.06)
    parser.add_argument("--entropy-end", type=float, default=0.02)
    parser.add_argument("--pull", type=float, default=0.05)
    parser.add_argument("--follow", type=float, default=0.002, help="how fast the reference follows the policy")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--lam", type=float, default=0.95)
    parser.add_argument("--hint", type=float, default=0.04, help="share of the time that follows the recipe's hint")
    parser.add_argument("--past", type=float, default=0.2, help="share of games against past snapshots")
    parser.add_argument("--search-plies", type=int, default=16)
    parser.add_argument("--panel-games", type=int, default=200)
    parser.add_argument("--panel-pause", type=float, default=30, help="seconds between two measurements of the panel")
    parser.add_argument("--against", type=Path, help="play only against this network: a best response to it")
    parser.add_argument(
        "--exploiter",
        type=float,
        default=0,
        help="share of games against a network that learns to beat this one, and is begun anew every few minutes",
    )
    parser.add_argument("--exploiter-minutes", type=float, default=2.5)
    parser.add_argument("--threads", type=int, help="threads for each of self-play, search opponents and panel")
    parser.add_argument("--resume", help="go on from this training (last.pt), or from a network file (.net)")
    parser.add_argument("--compile", action="store_true", help="let PyTorch compile what learns")
    parser.add_argument("--no-panel", action="store_true")
    parser.add_argument("--no-search", action="store_true")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    recipe = RECIPES[args.game]
    learner = Learner(args.game, recipe, args)
    games = learner.main[0].batch.actors.shape[0]
    first_past = learner.scripted_places
    share = max(args.past, args.exploiter)
    past_places = slice(first_past, games if args.against else first_past + int(share * games))
    if args.against:
        learner.networks.opponent.load_state_dict(
            {k: v.float() for k, v in torch.load(args.against, map_location=learner.device)["policy"].items()}
        )
    exploiter = Exploiter(learner, args) if args.exploiter > 0 else None
    stop = threading.Event()
    played: list[queue.Queue[Segment]] = [queue.Queue(maxsize=1) for _ in learner.main]
    searched: queue.Queue[Segment] = queue.Queue(maxsize=2)
    threads = [
        threading.Thread(
            target=learner.play, args=(arrays, recipe.plies, past_places, args.seed + half, out, stop), daemon=True
        )
        for half, (arrays, out) in enumerate(zip(learner.main, played, strict=True))
    ]
    if recipe.searching and not args.no_search and not args.against:
        thinking = (learner.searching(), args.search_plies, None, args.seed, searched, stop)
        threads.append(threading.Thread(target=learner.play, args=thinking, daemon=True))
    if recipe.panel and not args.no_panel:
        threads.append(threading.Thread(target=panel_of, args=(learner, stop, args.out, args.panel_games), daemon=True))
    for thread in threads:
        thread.start()
    rng = np.random.default_rng(args.seed)
    saved = told = time.time()
    iteration = 0
    while learner.progress() < 1:
        if exploiter:
            exploiter.learn()
        segments = [taken(out, threads) for out in played]
        while True:
            try:
                segments.append(searched.get_nowait())
            except queue.Empty:
                break
        stats = learner.learn(segments)
        iteration += 1
        if iteration % 12 == 0:
            kept = learner.kept()
            with learner.weights_lock:
                learner.past.append(kept)
                if len(learner.past) > 40:
                    # Keep some of every age.
                    learner.past.pop(int(rng.integers(1, len(learner.past) - 5)))
        now = time.time()
        if now - told > 10:
            told = now
            names = ("entropy", "pull", "critic", "value", "belief", "ratio")
            line = {name: round(float(value), 4) for name, value in zip(names, stats, strict=True)}
            print(
                "train",
                json.dumps(
                    {
                        "seconds": round(now - learner.begun),
                        "iteration": iteration,
                        "steps": learner.steps,
                        "decisions": learner.decisions,
                        "searched": len(segments) - len(played),
                        **({"exploited": round(exploiter.score, 3)} if exploiter else {}),
                        **line,
                    }
                ),
                flush=True,
            )
        if now - saved > 60:
            saved = now
            learner.save(args.out / "last.pt")
    learner.save(args.out / "last.pt")
    stop.set()
    for thread in threads:
        thread.join(timeout=20)


if __name__ == "__main__":
    main()
