"""From a run to its answer. Pure: the same run gives the same answer, years later too."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from tenken.base.words import plural
from tenken.judge.case import assess_case
from tenken.judge.change import judge_changes
from tenken.judge.common import judged, prepare, with_findings, worst_first
from tenken.judge.completeness import run_verdict, unjudged
from tenken.judge.launch_set import disagreements, following_clock, judge_launch_set, offers_of, pages_refused, with_known
from tenken.judge.place import slow_clocks
from tenken.judge.studies import assess_study, impossible_points
from tenken.model.assessment import Assessment, TopicResult
from tenken.model.baseline import Baseline, EarlierSitting, occasion_of
from tenken.model.judgement import Judge, Teller
from tenken.model.machine import Band, Machine, Offer
from tenken.model.run import CaseRun, Run
from tenken.model.verdict import EXIT_NOTHING_JUDGED, exit_code


def assess(
    run: Run, machine: Machine, bands: tuple[Band, ...], known_ceilings: tuple[Offer, ...] = (),
    baselines: Mapping[str, Baseline] = MappingProxyType({}), judges: Mapping[str, Judge] = MappingProxyType({}),
    tellers: Mapping[str, Teller] = MappingProxyType({}), earlier: tuple[EarlierSitting, ...] = (),
) -> Assessment:
    """Judge `run` on `machine`.

    `bands` are absolute expectations of micro-benchmarks (any node class); `known_ceilings` the newest good ones
    of this node class from earlier runs, with their date; `baselines` the accepted sittings
    of this node class by case id; `judges` and `tellers` (of studies) those that checks bring, by the name of the check;
    `earlier` sittings before this one that were not accepted, newest first. A case whose records cannot be judged at all is an
    ERROR of that case, not of the run.
    """

    def assess_whole(whole: Run) -> Assessment:
        return _assess(whole, machine, bands, known_ceilings, baselines, judges, tellers, earlier)

    try:
        return assess_whole(run)
    except Exception:  # noqa: BLE001  # whatever an odd record leads to: caught case by case
        return assess_whole(replace(run, cases=tuple(_judgeable(case_run, assess_whole, run) for case_run in run.cases)))


def suspects(run: Run, machine: Machine, baselines: Mapping[str, Baseline]) -> dict[str, int]:
    """Confirming launches wanted, by case id; none for a case that has enough undisturbed launches.

    Cases that seem to have changed get more of them in the same sitting before anything is called a failure.
    """
    if not baselines:
        return {}
    cases = tuple(prepare(run.name, case_run, machine) for case_run in run.cases)
    follows = following_clock(cases, baselines, offers_of(cases, machine), machine)
    case_changes = judge_changes(cases, machine, baselines, run.name, follows)
    return {case_id: change.wanted for case_id, change in case_changes.items() if change.wanted}


def _judgeable(case_run: CaseRun, assess_alone: Callable[[Run], Assessment], run: Run) -> CaseRun:
    """The case, without its records where it cannot be judged even alone."""
    try:
        assess_alone(replace(run, cases=(case_run,), studies=()))
    except Exception as error:  # noqa: BLE001
        sentence = f"the records of {case_run.case.id} cannot be judged ({type(error).__name__}: {error}); repeat its launches"
        return replace(case_run, records=(), unreadable=(*case_run.unreadable, sentence))
    return case_run


def _assess(
    run: Run, machine: Machine, bands: tuple[Band, ...], known_ceilings: tuple[Offer, ...], baselines: Mapping[str, Baseline],
    judges: Mapping[str, Judge], tellers: Mapping[str, Teller], earlier: tuple[EarlierSitting, ...],
) -> Assessment:
    impossible = impossible_points(run.studies, run.cases)
    bare = tuple(prepare(run.name, case_run, machine) for case_run in run.cases if case_run.case.id not in impossible)
    beside = with_known(offers_of(bare, machine), known_ceilings)
    prepared = tuple(judged(case, judges, beside) for case in bare)
    offers = offers_of(prepared, machine)  # of those whose own check finds no wrong answer
    ceilings = with_known(offers, known_ceilings)
    of_run = disagreements(offers) + slow_clocks(prepared, machine)
    follows = following_clock(prepared, baselines, ceilings, machine)
    changes = judge_changes(prepared, machine, baselines, run.name, follows, earlier)
    cases = tuple(
        with_findings(assess_case(case, judge_launch_set(case, ceilings, machine, bands), changes[case.case_run.case.id]), of_run)
        for case in prepared
    )
    verdict = run_verdict(cases)
    by_id = {case.id: case for case in cases}
    prepared_by_id = {case.case_run.case.id: case for case in prepared}
    checks = {case_run.check.name: case_run.check for case_run in run.cases}
    return Assessment(
        run=run.name,
        folder=run.folder,
        suite=run.suite,
        state=run.state,
        started=run.started,
        seconds=run.seconds,
        verdict=verdict,
        exit_code=EXIT_NOTHING_JUDGED if run.state == "interrupted" else exit_code(verdict),
        drill=any(case.fault is not None for case in cases) or bool(occasion_of(run.environment).name),
        machine=machine,
        environment=run.environment,
        cases=cases,
        offers=offers,
        findings=worst_first(finding for case in cases for finding in case.findings),
        unjudged=unjudged(cases),
        studies=tuple(
            assess_study(
                study, checks[study.check], prepared_by_id, by_id, impossible, machine, tellers.get(study.check), ceilings,
            )
            for study in run.studies
        ),
        topics=tuple(TopicResult(topic.name, topic.title, topic.question, topic.include) for topic in run.topics),
        notes=run.notes + tuple(note for case_run in run.cases for note in _notes(case_run)),
    )


def _notes(case_run: CaseRun) -> list[str]:
    return [note for note in (_unfinished(case_run), pages_refused(case_run.case.id, case_run.records)) if note is not None]


def _unfinished(case_run: CaseRun) -> str | None:
    """Which work of a case remains, so that an interrupted run says what `--resume` would add."""
    open_launches = [launch for launch in case_run.launches if launch.status in ("planned", "interrupted")]
    if not open_launches or case_run.unavailable is not None:
        return None
    return f"{case_run.case.id}: {len(open_launches)} of {plural(len(case_run.launches), 'launch')} not finished"
