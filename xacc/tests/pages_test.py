"""Each page of docs/directives has an example, which is run and prints what the page says; each directive has a page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from xacc.parse import LATER, Parser
from xacc_harness import TREE, Xacc

PAGES = sorted((TREE / "docs" / "directives").glob("*.md"))
_EXAMPLE = re.compile(r"```c\n(.*?)```\nOn (\d+) ranks:\n```\n(.*?)```\n", re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_the_example_prints_what_the_page_says(page: Path, xacc: Xacc) -> None:
    examples = _EXAMPLE.findall(page.read_text(encoding="utf-8"))
    assert len(examples) == 1
    text, ranks, want = examples[0]
    built = xacc.build(text, "-Wall", "-Wextra", "-Werror")
    assert built.returncode == 0 and built.stderr == "", built.stderr
    done = xacc.run("./program", int(ranks))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(want.splitlines())


def test_every_directive_has_a_page_and_every_other_is_named_as_missing() -> None:
    titles = " ".join(p.read_text(encoding="utf-8").split("\n", 1)[0] for p in PAGES)
    for name in (n.removeprefix("read_") for n in dir(Parser) if n.startswith("read_")):
        assert name in titles or name in ("static_desc", "save_desc"), name
    missing = (TREE / "docs" / "differences.md").read_text(encoding="utf-8")
    index = (TREE / "docs" / "directives.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in missing for name in LATER)
    assert all(f"(directives/{p.name})" in index for p in PAGES)
