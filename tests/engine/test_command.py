"""The engine's commands, run as processes."""

import json
import os
import platform
import runpy
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.bench import bench
from tests.builders import SEED, document
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent.parent


def run(*arguments: str, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "engine", *arguments]
    return subprocess.run(command, input=text, capture_output=True, cwd=ROOT, timeout=PATIENCE, check=False)


SOUND = json.dumps(document("p1: 9S | p2: 7D | stock: 6H | discard: JS")).encode()


def test_a_document_a_line_is_answered_a_line_each_blank_ones_passed_over() -> None:
    done = run("replay", text=SOUND + b"\n\n  \t\nnope\n" + SOUND)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, True]
    assert (done.returncode, done.stderr) == (0, b"")


def test_each_line_is_answered_before_the_next_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that one process can be asked again and again: the answers must not wait in a buffer."""
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    with os.fdopen(theirs_in) as stdin, os.fdopen(theirs_out, "w") as stdout:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys, "stdout", stdout)
        statuses: list[int] = []
        asked = threading.Thread(target=lambda: statuses.append(main(["replay"])))
        asked.start()
        with os.fdopen(ours_out, "wb", buffering=0) as ask, os.fdopen(ours_in, "rb") as answers:
            for line in (SOUND, b"\nnope", b"  \n" + SOUND):
                ask.write(line + b"\n")
                assert json.loads(answers.readline())["ok"] is (b"nope" not in line)
            ask.close()
            asked.join()
    assert statuses == [0]


def test_the_package_is_run_as_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["engine", "deal", "--seed", SEED, "--players", "p1,p2"])
    monkeypatch.delitem(sys.modules, "engine.__main__")
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("engine", run_name="__main__")
    assert ended.value.code == 0
    assert json.loads(capsys.readouterr().out)["leader"] in ("p1", "p2")


def test_files_are_answered_in_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sound.json").write_bytes(SOUND)
    (tmp_path / "not.json").write_bytes(b"\xff")
    assert main(["replay", str(tmp_path / "sound.json"), str(tmp_path / "not.json")]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sound.json").write_bytes(SOUND)
    assert main(["replay", str(tmp_path / "none.json"), str(tmp_path / "sound.json")]) == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["ok"] is True
    assert err == f"{tmp_path / 'none.json'}: No such file or directory\n"


def test_a_deal_is_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deal", "--seed", "ab" * 32, "--players", "p1,p2,p3"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert list(shown) == ["commitment", "leader", "deck", "hands", "stock"]
    scenario = json.loads((ROOT / "tests/scenarios/deal-from-a-seed.json").read_text("utf-8"))
    state = scenario["expect"]["state"]
    assert shown["leader"] == state["leader"]
    assert {player: sorted(hand) for player, hand in shown["hands"].items()} == state["hands"]
    assert shown["stock"] == state["stock"]
    assert shown["deck"][0] == shown["hands"]["p2"][0]
    assert shown["deck"][12:] == shown["stock"]
    assert shown["commitment"] == "9a2db2e23f1504cd056606553ac049c5e718e8f9ce9233876df1a7a1821af885"


def test_a_deal_takes_rules_a_leader_and_a_cut(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["deal", "--seed", SEED, "--players", "a,b", "--leader", "b"]
    main(arguments)
    plain = json.loads(capsys.readouterr().out)
    main([*arguments, "--cut", "3", "--rules", '{"opening": "turn_up", "hand_size": 5}'])
    shown = json.loads(capsys.readouterr().out)
    assert shown["leader"] == "b"
    assert shown["deck"] == plain["deck"][3:] + plain["deck"][:3]
    assert shown["hands"] == {"a": shown["deck"][0:10:2], "b": shown["deck"][1:10:2]}
    assert shown["stock"] == shown["deck"][11:]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["play"], "invalid choice: 'play'"),
        (["deal", "--players", "p1,p2"], "the following arguments are required: --seed"),
        (["deal", "--seed", SEED], "the following arguments are required: --players"),
        (["deal", "--seed", SEED[1:], "--players", "p1,p2"], "argument --seed: must be 64 hex digits"),
        (["deal", "--seed", f"{SEED}\n", "--players", "p1,p2"], "argument --seed: must be 64 hex digits"),
        (["deal", "--seed", SEED, "--players", "p1,,p2"], "argument --players: must be ids with commas"),
        (["deal", "--seed", SEED, "--players", "p1"], "not_enough_players"),
        (["deal", "--seed", SEED, "--players", "p1,p1"], "already_seated"),
        (["deal", "--seed", SEED, "--players", "a,b,c,d,e,f,g"], "too_many_players"),
        (
            ["deal", "--seed", SEED, "--players", "p1,p2", "--leader", "p3"],
            "argument --leader: p3 is not among",
        ),
        (
            ["deal", "--seed", SEED, "--players", "p1,p2", "--cut", "x"],
            "argument --cut: invalid int value: 'x'",
        ),
        (["deal", "--seed", SEED, "--players", "p1,p2", "--cut", "37"], "bad_deck: a cut is from 0 to 36"),
        (["deal", "--seed", SEED, "--players", "p1,p2", "--cut=-1"], "bad_deck: a cut is from 0 to 36"),
        (["deal", "--seed", SEED, "--players", "p1,p2", "--rules", "{"], "argument --rules: is not JSON"),
        (
            ["deal", "--seed", SEED, "--players", "p1,p2", "--rules", "[" * 9999],
            "argument --rules: is not JSON",
        ),
        (["bench", "--seconds", "0"], "argument --seconds: must be above 0"),
        (["bench", "--seconds", "inf"], "argument --seconds: must be above 0"),
        (["bench", "--seconds", "x"], "argument --seconds: invalid"),
        (
            ["deal", "--seed", SEED, "--players", "p1,p2", "--rules", "[]"],
            "argument --rules: must be a JSON object\n",
        ),
        (["deal", "--seed", SEED, "--players", "p1,p2", "--rules", '{"deck": 7}'], "deck: must be one of"),
    ],
)
def test_bad_arguments_are_told_clearly_and_end_with_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert message in err
    assert out == ""


def test_a_benchmark_tells_how_fast_it_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--seconds", "0.01"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == ["game", "python", "seconds", "matches", "moves", "moves_per_s"]
    assert told["moves"] % 1000 == 0
    assert told["matches"] >= told["moves"] // 1000
    assert told["moves_per_s"] > 0


def test_a_benchmark_counts_what_was_played_until_the_time_was_up() -> None:
    """It looks at the clock once in a thousand moves, and its play is always the same."""
    clock = iter((*(8 + quarter / 4 for quarter in range(10)), 10.734375, 20.0))
    assert bench(2.734375, clock=lambda: next(clock)) == {
        "game": "101, classic, 4 players, random play",
        "python": platform.python_version(),
        "seconds": 2.734,
        "matches": 29,
        "moves": 9000,
        "moves_per_s": 3291,
    }
    assert next(clock) == 20.0


def test_a_benchmark_takes_three_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine.__main__.bench", lambda seconds: seconds)
    assert main(["bench"]) == 0
    assert json.loads(capsys.readouterr().out) == 3.0


@pytest.mark.parametrize(
    ("command", "usage"),
    [
        (
            [],
            """usage: python -m engine [-h] COMMAND ...
            The card game «101», sans-IO.
            positional arguments: COMMAND
            replay answer documents: a position, its moves, where they lead
            deal show how a seed deals the first round of a match
            bench play at random and tell how many moves a second that makes
            options: -h, --help show this help message and exit""",
        ),
        (
            ["replay"],
            """usage: python -m engine replay [-h] [FILE ...]
            positional arguments: FILE none: a document a line on stdin
            options: -h, --help show this help message and exit""",
        ),
        (
            ["deal"],
            """usage: python -m engine deal [-h] --seed HEX --players ID,ID [--rules JSON]
            [--leader ID] [--cut K]
            options: -h, --help show this help message and exit
            --seed HEX 64 hex digits
            --players ID,ID seated clockwise
            --rules JSON default: classic
            --leader ID who leads; default: drawn from the seed
            --cut K put the first K cards last; default: 0""",
        ),
        (
            ["bench"],
            """usage: python -m engine bench [-h] [--seconds S]
            options: -h, --help show this help message and exit
            --seconds S default: 3""",
        ),
    ],
    ids=["engine", "replay", "deal", "bench"],
)
def test_a_command_tells_its_usage(
    command: list[str], usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.split() == usage.split()


def test_a_deal_needs_no_more_than_a_seed_and_players(capsys: pytest.CaptureFixture[str]) -> None:
    plain = ["deal", "--seed", "AB" * 32, "--players", "p1,p2,p3"]
    assert main(plain) == 0
    shown = json.loads(capsys.readouterr().out)
    main(["deal", "--seed", "ab" * 32, "--players", "p1,p2,p3", "--cut", "0", "--rules", "{}"])
    assert json.loads(capsys.readouterr().out) == shown
