"""`tenken contract RUN`: hold a run against the requirements of a contract, clause by clause."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tenken.base.errors import TenkenError
from tenken.cli import options, places
from tenken.cli.terminal import Progress
from tenken.model.contract import Contract


def main(arguments: Sequence[str]) -> int:
    """The word `contract`; returns 0 met, 1 waived, 2 not met, 4 not judged: the worst of the clauses."""
    parser = options.Parser(
        "contract", "Compare a run with the requirements of a contract: met, not met, waived or not judged by clause, with "
        "evidence. Exit code 0 met, 1 waived, 2 not met, 4 not judged, 3 wrong arguments.",
    )
    add = parser.add_argument
    add("run", nargs="?", default="last", metavar="RUN", help="path, unique prefix or last (default)")
    add("--requirements", metavar="FILE", help="requirements of the contract (default: those last used for this run, else "
        "requirements.toml of the configuration)")
    add("--waivers", metavar="FILE", help="waivers beside those in the requirements")
    add("--json", action="store_true", help="print the sheet as JSON")
    add("--html", metavar="FILE", help="write the sheet as a page that prints on paper, too")
    options.add_runs(parser)
    options.add_baselines(parser)
    typed = parser.parse(arguments)
    from tenken.store.contractfile import read_terms
    from tenken.store.runfolder import RunFolder, find_run

    folder = RunFolder(find_run(places.runs(typed.runs), typed.run))
    files = _files(folder.path, typed.requirements, typed.waivers)
    terms = read_terms(*files)
    from tenken.cli import answer
    from tenken.cli.answer import sheet
    from tenken.store.checkfile import load_checks

    assessment = answer.assess(folder.read(), places.baselines(typed.baselines))
    contract = sheet(assessment, terms, load_checks([places.TREE / "checks"]))
    _keep(folder.path, files)
    _show(contract, typed.json)
    if typed.html:
        from tenken.report.pages import contract_page

        answer.write_text(Path(typed.html), contract_page(contract))
    return contract.exit_code


def _files(folder: Path, requirements: str | None, waivers: str | None) -> tuple[Path, Path | None]:
    from tenken.store.contractfile import REQUIREMENTS, kept_files

    own = Path(waivers) if waivers else None
    if requirements:
        return Path(requirements), own
    if files := kept_files(folder):
        return files[0], own or files[1]
    ours = places.config(REQUIREMENTS)
    if not ours.exists():
        raise TenkenError(
            f"{folder.name} was not compared with a contract yet, and {ours} does not exist: name a contract "
            "with --requirements FILE (format: docs/contracts.md)."
        )
    return ours, own


def _keep(folder: Path, files: tuple[Path, Path | None]) -> None:
    """Later reports of the run show the contract. Where the folder is not ours to write, only this answer does."""
    from tenken.store.contractfile import keep_terms

    try:
        keep_terms(folder, *files)
    except OSError as error:
        Progress()(f"contract not copied to {folder} ({error.strerror}): later reports of the run will not show the contract")


def _show(judged: Contract, as_json: bool) -> None:
    if as_json:
        import json

        from tenken.report.results import contract

        print(json.dumps(contract(judged), indent=1))
        return
    from tenken.report.topics import contract_text

    print(contract_text(judged), end="")
