"""The recipe of docs/cluster.md, on three machines: each is a network address, a name, a home and a set of processes of
its own in namespaces of the kernel. Only root may make such machines."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ray")

BIN = Path(sys.executable).parent
NAMES = ["one", "two", "three"]
LAN = f"ranka-{os.getpid()}"


def sh(*command: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in command], check=check, capture_output=True, text=True)


class Machine:
    """A machine that is switched on."""

    def __init__(self, name: str, number: int, folder: Path) -> None:
        self.name, self.home, net = name, folder / name, f"{LAN}-{name}"
        (self.home / ".ray").mkdir(parents=True)
        sh("ip", "netns", "add", net)
        self.net = net
        sh("ip", "link", "add", f"p{number}", "netns", LAN, "type", "veth", "peer", "name", "eth0", "netns", net)
        sh("ip", "-n", LAN, "link", "set", f"p{number}", "master", "lan", "up")
        sh("ip", "-n", net, "address", "add", f"10.77.0.{number}/24", "dev", "eth0")
        sh("ip", "-n", net, "link", "set", "eth0", "up")
        sh("ip", "-n", net, "link", "set", "lo", "up")
        begin = (
            f"hostname {name} && mount --bind {folder}/hosts /etc/hosts && mkdir -p /tmp/ray"
            " && mount -t tmpfs ray /tmp/ray && mount -t tmpfs shm /dev/shm && echo on && exec sleep infinity"
        )
        apart = ["unshare", "--mount", "--uts", "--ipc", "--pid", "--fork", "--kill-child", "--mount-proc"]
        command = ["ip", "netns", "exec", net, *apart, "sh", "-c", begin]
        self.power = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.power.stdout and self.power.stdout.readline() == "on\n"
        # Of `unshare` and the one process it started the latter is inside.
        self.inside = sh("pgrep", "-P", self.power.pid).stdout.strip()

    def command(self, line: str) -> list[str]:
        env = [
            f"HOME={self.home}",
            f"PATH={BIN}:{os.environ['PATH']}",
            "RAY_USAGE_STATS_ENABLED=0",
            "RAY_AUTH_MODE=token",
        ]
        env += [f"PYTHONPATH={os.environ.get('PYTHONPATH', '')}"]
        entered = ["nsenter", "-t", self.inside, "-m", "-u", "-i", "-n", "-p"]
        return [*entered, "env", "-i", *env, "sh", "-c", f"cd {self.home} && {line}"]

    def run(self, line: str) -> str:
        done = sh(*self.command(line), check=False)
        assert done.returncode == 0, f"{self.name}$ {line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def off(self) -> None:
        """Pulls the plug."""
        self.power.kill()
        self.power.wait()
        sh("ip", "netns", "delete", self.net, check=False)


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[list[Machine]]:
    """Three machines in a network of their own."""
    if os.geteuid() != 0 or not shutil.which("ip") or sh("ip", "netns", "add", LAN, check=False).returncode != 0:
        pytest.skip("NOT TESTED: the recipe for three machines (needs root, `ip` and network namespaces)")
    found: list[Machine] = []
    try:
        sh("ip", "-n", LAN, "link", "add", "lan", "type", "bridge")
        sh("ip", "-n", LAN, "link", "set", "lan", "up")
        hosts = [f"10.77.0.{number} {name}" for number, name in enumerate(NAMES, 1)]
        (tmp_path / "hosts").write_text("127.0.0.1 localhost\n" + "\n".join(hosts) + "\n")
        for number, name in enumerate(NAMES, 1):
            found.append(Machine(name, number, tmp_path))
        yield found
    finally:
        for machine in found:
            machine.off()
        sh("ip", "netns", "delete", LAN, check=False)


AGENTS = "kalah minimax:depth=8 minimax:depth=7 minimax:depth=6 --games 60 --json --store"


def test_from_nothing_to_a_tournament_on_three_machines(machines: list[Machine]) -> None:
    one, two, three = machines
    one.run("ray get-auth-token --generate > /dev/null")
    for other in (two, three):
        shutil.copy(one.home / ".ray/auth_token", other.home / ".ray/auth_token")
    memory = "--object-store-memory 80000000 --num-cpus 1 --disable-usage-stats"
    one.run(f"ray start --head --port 6379 {memory}")
    for other in (two, three):
        other.run(f"ray start --address one:6379 {memory}")
    # The head tells every few seconds who has come.
    begun = time.monotonic()
    while (nodes := one.run("ray status").count(" node_")) < 3 and time.monotonic() - begun < 60:
        time.sleep(0.5)
    assert nodes == 3
    line = f"python -m ranka.cluster tournament {AGENTS} games.sqlite --address auto --seconds 1"
    with subprocess.Popen(one.command(line), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
        # Somebody stumbles over a cable while it plays.
        store, begun = one.home / "games.sqlite", time.monotonic()
        while not (store.exists() and played(store) > 10) and time.monotonic() - begun < 60:
            time.sleep(0.05)
        assert driver.poll() is None
        three.off()
        out, err = driver.communicate(timeout=300)
    assert driver.returncode == 0, err
    local = one.run(f"{program()} tournament {AGENTS} local.sqlite --threads 1")
    assert json.loads(out) == json.loads(local)
    # A machine that knows no token is not let in.
    (two.home / ".ray/auth_token").unlink()
    two.run("ray stop --force")
    assert sh(*two.command(f"ray start --address one:6379 {memory}"), check=False).returncode != 0


def played(store: Path) -> int:
    import sqlite3

    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as db:
        try:
            return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


def program() -> str:
    return os.environ.get("RANKA_PROGRAM", "ranka")
