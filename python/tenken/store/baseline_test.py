from __future__ import annotations

import errno
import json
import multiprocessing
import os
import random
import time
from dataclasses import replace
from multiprocessing.synchronize import Event
from pathlib import Path

import jsonschema
import pytest

from sittings import accepted, sitting
import sittings
from tenken.base.errors import RecordError, TenkenError
from tenken.model.baseline import Quantity
from tenken.model.check import Case
from tenken.store import baseline
from tenken.store.baseline import case_folder, find, read, resolved, scan
from tenken.store.baseline_write import drop, write

CASE = Case("stream", "all", "plain", {"n": 100, "sizes": (1, 2)}, 2, 1, 5, 20.0)
SCHEMA = json.loads((Path(baseline.__file__).parents[3] / "schema/baseline.schema.json").read_text())


def test_what_is_written_is_read_without_loss(tmp_path: Path) -> None:
    one = accepted(sitting(rate=0.1 + 0.2, exceptions={"n1": {"kernel": "5.4"}}), note="after the acceptance test")
    path = write(tmp_path, one)
    assert path is not None and read(path) == one
    jsonschema.validate(json.loads(path.read_text()), SCHEMA)
    assert path.relative_to(tmp_path).parts[0] == "toy" and path.name == f"{one.sitting.id}.json"
    lines = path.read_text().splitlines()
    assert sum('"launch": ' in line for line in lines) == 3 and all(line.count('"launch": ') < 2 for line in lines)
    keys = [line for line in lines if line.startswith(' "')]
    assert keys == sorted(keys)


@pytest.mark.parametrize("kind", ["metric", "time", "loss", "jitter", "clock", "distance"])
def test_every_kind_of_quantity_is_written(kind: str, tmp_path: Path) -> None:
    """The kinds of the judge: a kind that the schema lacks would refuse every sitting with it."""
    base = accepted()
    more = Quantity(f"{kind}:more", "ns", "lower", "latency")
    launches = tuple(replace(one, values={**one.values, more.name: 1.0}) for one in base.sitting.launches)
    one = replace(base, quantities=(*base.quantities, more), sitting=replace(base.sitting, launches=launches))
    path = write(tmp_path, one)
    assert path is not None and more in read(path).quantities
    assert all(each.values[more.name] == 1.0 for each in read(path).sitting.launches)


def test_the_same_run_twice_changes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, accepted())
    before = path.read_bytes()
    assert write(tmp_path, accepted(sitting(rate=99.0))) is None
    assert path.read_bytes() == before and [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_baseline_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[tuple[int, int]] = []
    linked: list[tuple[int, int]] = []
    fsync, link = os.fsync, os.link

    def record_sync(descriptor: int) -> None:
        synced.append((os.fstat(descriptor).st_ino, os.fstat(descriptor).st_size))
        fsync(descriptor)

    def record_link(source: Path, target: Path) -> None:
        linked.append((source.stat().st_ino, source.stat().st_size))
        assert synced == linked, "the whole file was written and synced"
        link(source, target)

    monkeypatch.setattr(os, "fsync", record_sync)
    monkeypatch.setattr(os, "link", record_link)
    path = write(tmp_path, accepted())
    assert path is not None and linked == [(path.stat().st_ino, path.stat().st_size)]


def test_storage_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_links)
    path = write(tmp_path, accepted())
    assert read(path) == accepted() and write(tmp_path, accepted(sitting(rate=99.0))) is None
    path.write_bytes(b"")  # a writer was killed between claim and rename
    assert scan(tmp_path)[0] == () and "empty" in scan(tmp_path)[1][0]
    assert write(tmp_path, accepted()) == path and read(path) == accepted()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "toy").write_text("a file, no folder")
    with pytest.raises(TenkenError, match="choose another folder with --baselines"):
        write(tmp_path, accepted())


def test_the_case_is_the_key_and_the_environment_is_not(tmp_path: Path) -> None:
    write(tmp_path, accepted(sitting("a-1", "2026-11-02T08:00:00Z", facts={"compiler": "gcc 12"})))
    write(tmp_path, accepted(sitting("b-2", "2026-11-01T08:00:00Z", facts={"compiler": "gcc 13"})))
    found, notes = find(tmp_path, "toy", CASE)
    assert [one.id for one in found.sittings] == ["b-2", "a-1"] and notes == ()
    assert (found.node_class, found.case_id, found.quantities) == ("toy", "stream:all", sittings.QUANTITIES)
    again = Case("stream", "all", "plain", {"sizes": [1, 2], "n": 100}, 2, 1, 9, 99.0)
    assert baseline.case_hash(resolved(again)) == found.case_hash


def test_what_is_for_other_nodes_or_sizes_is_named_and_not_used(tmp_path: Path) -> None:
    write(tmp_path, accepted(node_class="other"))
    write(tmp_path, accepted(case={"ranks": 4}))
    found, notes = find(tmp_path, "toy", CASE)
    assert found is None
    assert "node class other is not used: this is toy" in notes[0] and "other sizes, ranks or threads" in notes[1]
    assert find(tmp_path / "nothing", "toy", CASE) == (None, ())


def test_a_unit_that_changed_leaves_the_older_values_out(tmp_path: Path) -> None:
    first, *others = sittings.QUANTITIES
    other = (replace(first, unit="MB/s"), *others)
    write(tmp_path, replace(accepted(sitting("a", "2026-11-01T08:00:00Z")), quantities=other))
    write(tmp_path, accepted(sitting("b", "2026-11-02T08:00:00Z")))
    found, notes = find(tmp_path, "toy", CASE)
    assert ["metric:triad" in each.launches[0].values for each in found.sittings] == [False, True]
    assert "metric:triad in another unit" in notes[0] and found.quantities[0].unit == "GB/s"


def test_dropped_sittings_are_kept_and_skipped(tmp_path: Path) -> None:
    for number in (1, 2):
        path = write(tmp_path, accepted())
        assert drop(path).name.endswith(".json.dropped" if number == 1 else ".json.dropped2")
    assert scan(tmp_path) == ((), ()) and len(list(path.parent.iterdir())) == 2


@pytest.mark.parametrize("name", ["../../../etc", "/etc/passwd", "a/b", "", "..", ".git", "n\n\x1b[2J", "x" * 300, "日本"])
def test_hostile_names_stay_inside_and_stay_distinct(name: str, tmp_path: Path) -> None:
    folder = case_folder(tmp_path, name, f"stream:{name}", "01234567")
    assert folder.parent.parent == tmp_path and folder.resolve().is_relative_to(tmp_path.resolve())
    assert len(folder.name) < 150 and folder.name.isprintable() and not folder.parent.name.startswith(".")
    assert case_folder(tmp_path, name + "x", "a:b", "01234567").parent != folder.parent


def test_a_run_folder_with_a_strange_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TenkenError, match="was renamed"):
        write(tmp_path, accepted(sitting("../../evil")))
    assert not list(tmp_path.iterdir())


def damaged(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"launch": 2', '"launch": 1', "launch 1 is there twice"),
        ('"ranks": 2', '"ranks": 3', "damaged or edited"),
        ('"loss:triad": 0.01', '"loss:triad": 1' + "0" * 400, "beyond every measurement"),
        ('"loss:triad": 0.01', '"loss:triad": NaN', "not JSON that can be believed"),
        ('"loss:triad": 0.01', '"loss:triads": 0.01', "which no quantity describes"),
        ('"name": "loss:triad"', '"name": "time:triad"', "time:triad is there twice"),
        ("tenken.baseline/1", "tenken.baseline/2", "expected \"tenken.baseline/1\""),
        ('"toy"', '"toys"', "it was moved or renamed"),
        ("2026-11-01T08", "yesterday", "a string like"),
        ('"class": "memory"', '"class": "speed"', "one of"),
        ('"metric:triad": 30.1301', '"metric:triad": 33.1301', "changed by hand after acceptance"),
        ('"note": ""', '"note": "better"', "restore the file, or delete it and accept bad again"),
        ('"name": ""', '"name": 1', "occasion: name: expected a string"),
    ],
)
def test_a_damaged_file_is_skipped_with_its_reason(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    good = write(tmp_path, accepted(sitting("good")))
    bad = write(tmp_path, accepted(sitting("bad")))
    damaged(bad, old, new)
    found, notes = scan(tmp_path)
    assert [one.path for one in found] == [good]
    assert len(notes) == 1 and str(bad) in notes[0] and sentence in notes[0] and notes[0].endswith("skipped")


def test_another_layout_is_no_change_and_older_files_have_no_checksum(tmp_path: Path) -> None:
    path = write(tmp_path, accepted(sitting(rate=0.1 + 0.2)))
    content = json.loads(path.read_text())
    path.write_text(json.dumps(dict(reversed(content.items())), indent=7))
    assert read(path) == accepted(sitting(rate=0.1 + 0.2))
    for name in ("sha256", "occasion"):
        del content[name]
    path.write_text(json.dumps(content))
    assert read(path) == accepted(sitting(rate=0.1 + 0.2))


def test_what_lies_beside_is_named(tmp_path: Path) -> None:
    good = write(tmp_path, accepted())
    folder = good.parent
    (folder / ".x.1.ab.tmp").write_text("{")
    (folder / "half.json").write_bytes(good.read_bytes()[:300])
    (folder / "binary.json").write_bytes(b"\xff\x00")
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    (folder / "notes.txt").write_text("mine")
    (folder / ".gitkeep").write_text("")
    (tmp_path / "README").write_text("kept under git")
    (tmp_path / ".git/toy/a--b-01234567").mkdir(parents=True)
    found, notes = scan(tmp_path)
    assert len(found) == 1
    assert sorted(name for name in os.listdir(folder) if any(name in note for note in notes)) == [
        ".x.1.ab.tmp", "binary.json", "folder.json", "half.json", "notes.txt", "pipe.json",
    ]
    with pytest.raises(RecordError, match="cannot read|not a regular file"):
        read(folder / "nothing.json")


FORK = multiprocessing.get_context("fork")


def no_links(*_: object) -> None:
    raise OSError(errno.ENOTSUP, "no links here")


def accept_many(root: Path, name: str, many: int, launches: int, start: Event, links: bool = True) -> None:
    """Body of a writer process."""
    if not links:
        os.link = no_links
    start.wait(30)
    for number in range(many):
        write(root, accepted(sitting(f"{name}-{number}", launches=launches)))


@pytest.mark.parametrize("links", [True, False])
def test_fifty_writers_at_once_lose_nothing(tmp_path: Path, links: bool) -> None:
    """Half of them accept the same runs as another: of those one wins, and the file is whole."""
    names = [f"run{number // 2 if number < 25 else number}" for number in range(50)]
    start = FORK.Event()
    writers = [FORK.Process(target=accept_many, args=(tmp_path, name, 4, 3, start, links)) for name in names]
    for one in writers:
        one.start()
    start.set()
    for one in writers:
        one.join(60)
    assert [one.exitcode for one in writers] == [0] * 50
    found, notes = scan(tmp_path)
    assert {one.sitting.id for one in found} == {f"{name}-{part}" for name in names for part in range(4)}
    assert notes == () and len(os.listdir(found[0].path.parent)) == len(found) == 4 * len(set(names))


@pytest.mark.parametrize("links", [True, False])
def test_kill_9_leaves_no_half_file_that_is_believed(tmp_path: Path, links: bool) -> None:
    chance, start = random.Random(20261121), FORK.Event()
    start.set()
    for moment in range(400):
        if moment >= 20 and next(tmp_path.rglob("*.json"), None):
            break
        one = FORK.Process(target=accept_many, args=(tmp_path, f"run{moment}", 1000, 400, start, links))
        one.start()
        time.sleep(chance.uniform(0, 0.04 + 0.01 * max(moment - 20, 0)))  # a busy machine may not come to write in 40 ms
        one.kill()
        one.join(10)
    found, notes = scan(tmp_path)
    assert found and all(len(each.sitting.launches) == 400 for each in found)
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == len(found) + len(notes)
