"""Judges of checks are found by scan; what they may not do is refused by a sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import builders as b
from tenken.base.errors import TenkenError
from tenken.model.judgement import Judge, OwnJudgement, StudyToTell, StudyTold, ToJudge
from tenken.model.run import Measured
from tenken.store.judges import impure_imports, load_judges, load_tellers

HEAD = "from tenken.model.judgement import OwnJudgement\n"
CASE = b.case_run(b.record())
TO_JUDGE = ToJudge("r", CASE.check, CASE.case, (Measured(CASE.launches[0], CASE.records[0]),))


def judge(folder: Path, source: str) -> Judge:
    (folder / "mine").mkdir()
    (folder / "mine" / "judge.py").write_text(HEAD + source)
    return load_judges([folder], ["mine", "absent"])["mine"]


def test_a_judge_is_found_and_called(tmp_path: Path) -> None:
    source = (
        "from dataclasses import dataclass\nimport numpy as np\n@dataclass\nclass Pair:\n    a: 'int'\n"
        "def judge(of):\n    np.median(np.linalg.norm(np.ones((2, 2)), axis=0))\n"
        "    return OwnJudgement(explained=(of.run, str(Pair(3).a)))\n"
    )
    assert judge(tmp_path, source)(TO_JUDGE) == OwnJudgement(explained=("r", "3"))
    assert list((tmp_path / "mine").iterdir()) == [tmp_path / "mine" / "judge.py"]  # nothing is left beside it


def test_a_judge_may_be_the_first_to_import_a_module_without_bytecode(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    source = "from tenken.judge.repeated import MOST_SPREAD\ndef judge(of):\n    return MOST_SPREAD\n"
    (tmp_path / "mine" / "judge.py").write_text(HEAD + source)
    program = (
        "import sys; from pathlib import Path; from tenken.store.judges import load_judges; "
        "assert not any('repeated' in one for one in sys.modules); "
        f"judge = load_judges([Path({str(tmp_path)!r})], ['mine'])['mine']; "
        "print(judge(None), sys.dont_write_bytecode)"
    )
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode"), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["0.3", "False"], run.stderr


def test_only_those_that_are_wanted_are_loaded(tmp_path: Path) -> None:
    judge(tmp_path, "def judge(of):\n    return OwnJudgement()\n")
    assert load_judges([tmp_path], ["other"]) == {}


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("import os\ndef judge(of): pass\n", "it is pure and may not import line 2: os"),
        ("def judge(of):\n    from tenken.launch import local\n", "may not import line 3: tenken.launch"),
        ("from . import x\n", "may not import line 2: ."),
        ("def judge(of):\n    return open('/etc/passwd').read()\n", "may not reach outside: open /etc/passwd"),
        ("def judge(of):\n    return open('judge.py', 'w')\n", "may not reach outside: open judge.py"),
        ("open('/etc/passwd')\n", "may not reach outside: open /etc/passwd"),
        ("def judge(of):\n    return __import__('subprocess').run(['true'])\n", "may not reach outside: subprocess.Popen"),
        (
            "def judge(of):\n    try:\n        open('/etc/passwd')\n    except Exception:\n        return OwnJudgement()\n",
            "may not reach outside: open /etc/passwd",
        ),
        ("def judge(of:\n", "was never closed"),
        ("JUDGE = 3\n", "it has no function judge(case)"),
    ],
)
def test_what_it_may_not_do_is_refused(tmp_path: Path, source: str, problem: str) -> None:
    bad = judge(tmp_path, source)
    with pytest.raises(TenkenError) as error:
        bad(TO_JUDGE)
    assert problem in str(error.value)


def test_after_a_judge_files_can_be_opened_again(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        judge(tmp_path, "def judge(of):\n    return 1 / 0\n")(TO_JUDGE)
    assert (tmp_path / "mine" / "judge.py").read_text()


def test_pure_imports() -> None:
    assert impure_imports("import math\nfrom tenken.stats.robust import median\nimport numpy.linalg") == []
    assert impure_imports("import time, math\nfrom tenkens import x\nimport tenken") == [
        "line 1: time", "line 2: tenkens", "line 3: tenken",
    ]


def test_a_teller_is_found_beside_or_without_a_judge_and_is_as_pure(tmp_path: Path) -> None:
    tell = "def tell(of):\n    return StudyTold(notes=(str(len(of.points)),))\n"
    sources = {"both": tell + "def judge(of):\n    return OwnJudgement()\n", "alone": tell, "neither": "X = 3\n",
               "impure": "def tell(of):\n    return open('/etc/passwd')\n"}
    for name, source in sources.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "judge.py").write_text(f"from tenken.model.judgement import OwnJudgement, StudyTold\n{source}")
    tellers = load_tellers([tmp_path], sources)
    assert set(tellers) == {"both", "alone", "impure"} and set(load_judges([tmp_path], sources)) == {"both", "neither"}
    study = StudyToTell(None, ())  # type: ignore[arg-type]
    assert tellers["alone"](study) == tellers["both"](study) == StudyTold(notes=("0",))
    with pytest.raises(TenkenError, match="may not reach outside: open /etc/passwd"):
        tellers["impure"](study)
