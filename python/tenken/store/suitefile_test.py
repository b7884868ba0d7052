from __future__ import annotations

from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.store.checkfile import load_checks
from tenken.store.suitefile import load_suites, suite_cases

CHECK = """
title = "Toy"
question = "Does it work?"
repetition = "one pass"
variants = ["plain"]

[case.small]
variant = "plain"
ranks = 1
threads = 1
launches = 1
timeout_s = 9
suites = ["quick"]

[case.large]
variant = "plain"
ranks = 1
threads = 1
launches = 1
timeout_s = 9
"""

SUITE = 'title = "t"\nquestion = "q"\nbudget_s = 60\norder = "given"\n'


def suites(tmp_path: Path, text: str = SUITE, name: str = "quick") -> tuple[Path, Path]:
    (tmp_path / "suites").mkdir(exist_ok=True)
    (tmp_path / "suites" / f"{name}.toml").write_text(text)
    (tmp_path / "checks" / "toy").mkdir(parents=True)
    (tmp_path / "checks" / "toy" / "check.toml").write_text(CHECK)
    return tmp_path / "suites", tmp_path / "checks"


def test_cases_belong_to_a_suite_by_their_own_list_or_by_inclusion(tmp_path: Path) -> None:
    root, checks_root = suites(tmp_path, SUITE + 'include = ["toy:large"]')
    checks = load_checks([checks_root])
    loaded = load_suites([root], checks)
    assert loaded["quick"].budget_s == 60.0 and loaded["quick"].order == "given"
    assert suite_cases(loaded["quick"], checks) == ("toy:small", "toy:large")
    (root / "quick.toml").write_text(SUITE + 'exclude = ["toy:small"]')
    assert suite_cases(load_suites([root], checks)["quick"], checks) == ()


def test_a_later_folder_replaces_a_suite(tmp_path: Path) -> None:
    root, checks_root = suites(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "quick.toml").write_text(SUITE.replace("60", "30"))
    assert load_suites([root, tmp_path / "mine"], load_checks([checks_root]))["quick"].budget_s == 30.0


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        (
            SUITE + 'include = ["toy:larg"]',
            "quick",
            "quick.toml: include: case 'toy:larg' is unknown; did you mean toy:large",
        ),
        (SUITE + 'exclude = ["x"]', "quick", "quick.toml: exclude: case 'x' is unknown; valid: toy:large, toy:small"),
        (SUITE + "size = 3", "quick", "quick.toml: size: is unknown"),
        (SUITE.replace("given", "giver"), "quick", "order: 'giver' is unknown; did you mean given?"),
        (SUITE.replace("60", "0"), "quick", "budget_s: expected a number of at least 1"),
        (SUITE, "toy", "toy.toml: 'toy' is a check too; a name is unique across suites and checks"),
        (SUITE, "quik", "[case.small] suites: 'quick' is unknown; did you mean quik?"),
    ],
)
def test_mistakes_of_suites_are_named(tmp_path: Path, text: str, name: str, says: str) -> None:
    root, checks_root = suites(tmp_path, text, name)
    with pytest.raises(TenkenError) as error:
        load_suites([root], load_checks([checks_root]))
    assert says in str(error.value)


TOPICS = SUITE + """
[topic.speed]
title = "Speed"
question = "How fast?"
include = ["toy:large", "toy:small"]
[topic.more]
title = "More"
question = "What else?"
include = ["toy:small"]
"""


def test_topics_name_cases_and_studies_in_the_order_of_importance(tmp_path: Path) -> None:
    root, checks_root = suites(tmp_path, TOPICS)
    checks = load_checks([checks_root])
    found = load_suites([root], checks)["quick"]
    assert [topic.title for topic in found.topics] == ["Speed", "More"]
    assert suite_cases(found, checks) == ("toy:small", "toy:large")
    wrong = TOPICS.replace('"toy:large"', '"toy:larg"')
    (root / "quick.toml").write_text(wrong)
    unknown = r"\[topic.speed\] include: case or study 'toy:larg' is unknown; did you mean toy:large"
    with pytest.raises(TenkenError, match=unknown):
        load_suites([root], checks)
    (root / "quick.toml").write_text(TOPICS + "size = 3")
    with pytest.raises(TenkenError, match=r"\[topic.more\] size: is unknown"):
        load_suites([root], checks)
