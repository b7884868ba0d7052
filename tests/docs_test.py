"""What README and docs say there is, held against what there is: words and their options, checks, folders, links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tenken.cli.main import main
from tenken.cli.options import WORDS

TREE = Path(__file__).resolve().parent.parent
PAGES = sorted([TREE / "README.md", TREE / "CONTRIBUTING.md", *(TREE / "docs").rglob("*.md"), *(TREE / "checks").glob("*/*.md")])
README = (TREE / "README.md").read_text(encoding="utf-8")
GENERIC = {"--yes", "--help"}  # of the bootstrap, and of every word


def code(text: str) -> list[str]:
    """Lines of code blocks and what stands between backticks."""
    blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?\n.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()] + re.findall(r"`([^`\n]+)`", rest)


def commands(text: str) -> list[tuple[str, str]]:
    """(word, what follows) of each command of Tenken, without comments."""
    found = [re.match(r"(?:\d+ )?\.?/?tenken ([a-z][a-z-]*)(.*)", one.strip()) for one in code(text)]
    return [(one[1], one[2].split("  ")[0].partition(" #")[0]) for one in found if one]


def table_after(text: str, heading: str) -> list[str]:
    """First cells of the table whose first row begins with `heading`."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            break
        rows.append(line.split(" | ")[0].removeprefix("| "))
    return rows


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120


def test_the_readme_shows_the_present_answer_of_a_kept_run(capsys: pytest.CaptureFixture[str]) -> None:
    main(["show", str(TREE / "tests/frozen/turbo-reference-blas")])
    answer = capsys.readouterr().out.splitlines()[:-1]  # the last line has the path of the results
    assert "\n".join(answer) in README


def test_the_table_of_commands_has_a_row_for_every_word() -> None:
    page = (TREE / "docs/commands.md").read_text(encoding="utf-8")
    rows = {word for row in table_after(page, "command") for word in re.findall(r"`\./tenken ([a-z-]+)", row)}
    assert rows == set(WORDS)


def test_every_document_has_a_line_in_the_list_by_reader() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (TREE / "docs/README.md").read_text(encoding="utf-8")))
    assert listed == {page.name for page in (TREE / "docs").glob("*.md")} - {"README.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TREE)))
def test_commands_that_are_told_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for word, rest in commands(page.read_text(encoding="utf-8")):
        assert word in WORDS, f"tenken {word}"
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest.partition("|")[0])) - GENERIC
        if not options:
            continue
        telling = [word, "accept", "--help"] if word == "baseline" else [word, "--help"]
        with pytest.raises(SystemExit):
            main(telling)
        told = capsys.readouterr().out
        for option in options:
            assert option in told, f"tenken {word} {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TREE)))
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^ *```.*?\n.*?^ *```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", prose):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_folder_of_code_has_a_row() -> None:
    rows = "\n".join(table_after((TREE / "docs/architecture.md").read_text(encoding="utf-8"), "folder"))
    told = {name for name in re.findall(r"`((?:cpp|python/tenken)/\w+)`", rows)}
    there = {str(path.relative_to(TREE)) for path in (*(TREE / "cpp").iterdir(), *(TREE / "python/tenken").iterdir())
             if path.is_dir() and not path.name.startswith("__")}
    assert told == there


def decisions() -> dict[str, list[int]]:
    """The numbers of the decisions of each page, in their order."""
    return {page.name: [int(number) for number in re.findall(r"^## (\d+)\. ", page.read_text(encoding="utf-8"), re.MULTILINE)]
            for page in sorted((TREE / "docs/decisions").glob("*.md")) if page.name != "README.md"}


def test_every_decision_has_one_place_and_two_rows() -> None:
    found = decisions()
    numbers = sorted(number for of_page in found.values() for number in of_page)
    assert len(set(numbers)) == len(numbers) > 40, "numbers are never used again"
    index = (TREE / "docs/decisions/README.md").read_text(encoding="utf-8")
    for page, of_page in found.items():
        text = (TREE / "docs/decisions" / page).read_text(encoding="utf-8")
        assert re.findall(r'<a id="(\d+)"></a>\n\n## (\d+)\.', text) == [(str(number),) * 2 for number in of_page], page
        assert f"| [{text.partition(chr(10))[0][2:]}]({page}) |" in index and f"| {', '.join(map(str, of_page))} |" in index, page
        assert all(f"({page}#{number}) | {number} |" in index for number in of_page), page


def test_references_to_decisions_lead_to_their_place() -> None:
    places = {f"{page}#{number}" for page, of_page in decisions().items() for number in of_page}
    folders = ("python", "cpp", "checks", "tests", "benchmarks", "docs", "xacc")
    files = [path for folder in folders for path in (TREE / folder).rglob("*")
             if path.suffix in {".py", ".cpp", ".hpp", ".cu", ".md", ".txt", ".toml"} and "build" not in path.parts]
    used = {one for path in [*files, TREE / "CHANGELOG.md", TREE / "CONTRIBUTING.md", TREE / "README.md"]
            for one in re.findall(r"decisions/([\w-]+\.md#\d+)", path.read_text(encoding="utf-8", errors="replace"))}
    assert used and used <= places, used - places


def test_messages_after_the_change_stand_in_the_code() -> None:
    """docs/history/messages.md, right column: all but the parts in italics, in sources whose literals are joined."""
    sources = [path for folder in ("python/tenken", "cpp", "checks") for path in (TREE / folder).rglob("*")
               if path.suffix in {".py", ".cpp", ".hpp", ".toml"}]
    code = "".join(re.sub(r'"\s*\+?\s*\n\s*f?"', "", path.read_text(encoding="utf-8")) for path in sources)
    rows = re.findall(r"^\| `.*` \| (.*) \|$", (TREE / "docs/history/messages.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 40
    for row in rows:
        fixed = [part.strip(" :.,;?()") for part in re.split(r"\*[^*]+\*|…", row)]
        assert any(fixed) and not [part for part in fixed if part not in code], row
