from __future__ import annotations

from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.machine.software import occasion
from tenken.model.baseline import Occasion, occasion_of


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    (tmp_path / "boot_id").write_text("6fd1-22\n")
    return tmp_path / "boot_id"


@pytest.mark.parametrize(("variables", "place"), [
    ({}, "boot 6fd1-22"),
    ({"SLURM_JOB_ID": "4711"}, "slurm job 4711"),
    ({"SLURM_JOB_ID": "4711", "SLURM_CLUSTER_NAME": "big"}, "slurm big job 4711"),
    ({"PBS_JOBID": "12.host"}, "pbs job 12.host"),
    ({"SLURM_CLUSTER_NAME": "big"}, "boot 6fd1-22"),
])
def test_the_place_is_the_allocation_or_the_boot(variables: dict[str, str], place: str, boot: Path) -> None:
    assert occasion(variables, boot) == Occasion(place)


def test_what_the_system_does_not_tell_is_not_known(tmp_path: Path) -> None:
    assert occasion({}, tmp_path / "nothing") == Occasion()
    (tmp_path / "boot_id").write_bytes(b"\xff")
    assert occasion({}, tmp_path / "boot_id") == Occasion()


def test_the_name_of_a_sitting(boot: Path) -> None:
    assert occasion({"TENKEN_SITTING": "night-3.b"}, boot) == Occasion("boot 6fd1-22", "night-3.b")
    assert occasion({"TENKEN_SITTING": ""}, boot).name == ""


@pytest.mark.parametrize("name", [" ", "a b", "-x", ".x", "../x", "é", "x" * 65, "a\n", "\x1b[2J"])
def test_what_is_no_name_is_refused_in_a_sentence(name: str, boot: Path) -> None:
    with pytest.raises(TenkenError, match="TENKEN_SITTING=.*: expected up to 64 letters.*unset it"):
        occasion({"TENKEN_SITTING": name}, boot)


def test_older_runs_tell_nothing() -> None:
    assert occasion_of({}) == occasion_of({"sitting": None}) == occasion_of({"sitting": {}}) == Occasion()
    assert occasion_of({"sitting": {"place": "boot x", "name": "y"}}) == Occasion("boot x", "y")
