"""Reading `suites/NAME.toml`, and which cases belong to a suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.base.toml import Table, read_toml
from tenken.base.words import nearest
from tenken.model.check import Check, Suite, Topic, named, present


def load_suites(root_folders: Iterable[Path], checks: dict[str, Check]) -> dict[str, Suite]:
    """Every suite file in the given folders, by name; a file in a later folder replaces its namesake.

    TenkenError for a suite named like a check, a suite of unknown cases, and a case of an unknown suite.
    """
    suites: dict[str, Suite] = {}
    for root in root_folders:
        for file in sorted(root.glob("*.toml")):
            suite = read_suite(file, checks)
            suites[suite.name] = suite
    for check in checks.values():
        for case in check.cases:
            for name in case.suites:
                if name not in suites and not check.problem:
                    raise TenkenError(
                        f"{check.folder}/check.toml: [case.{case.name}] suites: '{name}' is unknown; "
                        f"{nearest(name, suites)}"
                    )
    return suites


def read_suite(file: Path, checks: dict[str, Check]) -> Suite:
    """The suite in `file`, named after it."""
    table = read_toml(file)
    if file.stem in checks:
        raise TenkenError(
            f"{file}: '{file.stem}' is a check too; a name is unique across suites and checks: rename one"
        )
    if (now := present(file.stem, checks)) != file.stem:
        raise TenkenError(
            f"{file}: '{file.stem}' is an older name of check {now}; a name is unique across suites and checks: rename it"
        )
    suite = Suite(
        name=file.stem,
        title=table.text("title"),
        question=table.text("question"),
        budget_s=table.number("budget_s", 1.0),
        order=table.word("order", ("random", "given")),
        include=tuple(present(word, checks) for word in table.words("include", ())),
        exclude=tuple(present(word, checks) for word in table.words("exclude", ())),
        topics=tuple(_topic(name, topic_table, checks) for name, topic_table in table.tables("topic").items()),
    )
    table.done()
    cases = {f"{check.name}:{case.name}" for check in checks.values() for case in check.cases}
    for key, names in (("include", suite.include), ("exclude", suite.exclude)):
        for name in names:
            if name not in cases:
                table.fail(key, f"case '{name}' is unknown; {nearest(name, cases)}")
    return suite


def _topic(name: str, table: Table, checks: dict[str, Check]) -> Topic:
    """A table `[topic.NAME]`."""
    include = tuple(present(word, checks) for word in table.words("include"))
    topic = Topic(name, table.text("title"), table.text("question"), include)
    table.done()
    known = {f"{check.name}:{case.name}" for check in checks.values() for case in check.named}
    for mark in include:
        broken = checks.get(mark.partition(":")[0])  # its studies are not known
        if mark not in known and not (broken and broken.problem):
            table.fail("include", f"case or study '{mark}' is unknown; {nearest(mark, known)}")
    return topic


def suite_cases(suite: Suite, checks: Mapping[str, Check]) -> tuple[str, ...]:
    """Ids (check:case) of the cases that name `suite` or are included by it, less the excluded, in a fixed order; then the
    cases and studies (check:study) that its topics name."""
    own = [
        f"{check.name}:{case.name}"
        for check in sorted(checks.values(), key=lambda check: check.name)
        for case in check.cases
        if suite.name in case.suites
    ]
    names = dict.fromkeys([*own, *suite.include, *named(suite.topics)])
    return tuple(name for name in names if name not in suite.exclude)
