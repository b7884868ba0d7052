from __future__ import annotations

from pathlib import Path

import pytest

from fake_build import ENVIRONMENT
from tenken.base.errors import TenkenError
from tenken.launch.build import Built
from tenken.launch.command import Command
from tenken.launch.probe import probe_command, probe_nodes


def built(folder: Path, script: str = "") -> Built:
    """A build whose probe is a shell script; $2 is the folder that it is told to write into."""
    one = Built(ENVIRONMENT, folder, {})
    one.probe.parent.mkdir(parents=True)
    one.probe.write_text(f"#!/bin/sh\n{script}\n")
    one.probe.chmod(0o755)
    return one


def test_one_node_needs_no_launcher(tmp_path: Path) -> None:
    one = built(tmp_path, """printf '{"host": "here"}' > "$2/here-1.json"; echo noise""")
    assert probe_nodes(one, "local", 1, 4) == (['{"host": "here"}'], "")
    assert not list(tmp_path.glob("nodes-*"))


def test_nodes_write_into_a_folder_of_the_user_where_the_build_is_not_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = built(tmp_path, """printf '{"at": "%s"}' "$2" > "$2/here-1.json\"""")
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    monkeypatch.setattr("tenken.launch.build_place.os.access", lambda path, mode: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    ((text,), _) = probe_nodes(one, "local", 1, 4)
    assert '"/tmp/' in text and not (tmp_path / "cache").exists(), "one node needs no folder that others see"
    assert not Path(text.split('"')[3]).exists()
    ((text,), _) = probe_nodes(one, "local", 2, 4)
    assert f'"{tmp_path}/cache/tenken/build/nodes-' in text and not list((tmp_path / "cache/tenken/build").iterdir())
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(TenkenError, match="cannot write .*/file/tenken/build: Not a directory; name a folder .*: XDG"):
        probe_nodes(one, "local", 2, 4)


def test_what_answered_counts_where_others_fail(tmp_path: Path) -> None:
    one = built(tmp_path, """echo '{}' > "$2/n1-1.json"; echo "srun: error: n2:  Exited" >&2; exit 1""")
    assert probe_nodes(one, "local", 1, 4) == (["{}\n"], "srun: error: n2: Exited")


@pytest.mark.parametrize("script", ["exit 0", "echo 'out of luck' >&2; exit 4"])
def test_no_answer_at_all_is_a_sentence(tmp_path: Path, script: str) -> None:
    with pytest.raises(TenkenError, match="no node answered|out of luck"):
        probe_nodes(built(tmp_path, script), "local", 1, 4)


def test_each_launcher_gets_one_probe_a_node(tmp_path: Path) -> None:
    one = built(tmp_path)
    ends = [str(one.probe), "--out", str(tmp_path / "x")]
    slurm = probe_command(one, "slurm", 3, 8, tmp_path / "x").words
    assert slurm == ("srun", "-N", "3", "-n", "3", "-c", "8", "--cpu-bind=none", "--kill-on-bad-exit=0", *ends)
    other = probe_command(one, "jsrun -n {ranks} -c {threads}", 3, 8, tmp_path / "x").words
    assert other == ("jsrun", "-n", "3", "-c", "8", *ends)


def test_a_hanging_node_does_not_hold_the_run(tmp_path: Path) -> None:
    def hangs(start: Command) -> tuple[int, str]:
        Path(start.words[-1], "n1-1.json").write_text("{}")
        return 124, "no answer within 60 s"

    assert probe_nodes(built(tmp_path), "local", 1, 4, hangs) == (["{}"], "no answer within 60 s")
