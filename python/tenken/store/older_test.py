from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import builders as b

from tenken.model.check import Provides
from tenken.store.checkfile import load_checks, read_check
from tenken.store.older import with_present_roles

CHECKS = Path(__file__).resolve().parents[3] / "checks"


def test_an_older_run_learns_what_its_checks_provide() -> None:
    now = read_check(CHECKS / "stream")
    before = replace(now, metrics=tuple(replace(metric, provides=None) for metric in now.metrics))
    run = b.run(b.case_run(b.record(check="stream"), of=before), b.case_run(b.record(check="gone"), of=b.check("gone")))
    filled = with_present_roles(run, load_checks([CHECKS]))
    assert filled.cases[0].check == now and now.metrics[0].provides == Provides("memory", by="working_set_bytes")
    assert filled.cases[1] == run.cases[1]


def test_proofs_of_an_older_run_are_held_to_what_the_tree_computes() -> None:
    now = read_check(CHECKS / "stream")
    plain = tuple(replace(one, tolerance=1e-13, when=1.0) for one in now.validity)
    run = b.run(b.case_run(b.record(check="stream"), of=replace(now, validity=plain)))
    computed = {one.name for one in now.validity if isinstance(one.tolerance, str)}
    assert computed
    for one in with_present_roles(run, load_checks([CHECKS])).cases[0].check.validity:
        assert isinstance(one.tolerance, str) == (one.name in computed)


def test_a_check_that_cannot_be_read_now_leaves_the_run_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "stream").mkdir()
    (tmp_path / "stream" / "check.toml").write_text("title = 3")
    run = b.run(b.case_run(b.record(check="stream")))
    assert with_present_roles(run, load_checks([tmp_path])) == run
