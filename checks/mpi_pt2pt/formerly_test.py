"""mpi_pingpong is called mpi_pt2pt now: its names, baselines and what it provides are found here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenken.launch.resolve import Facts, resolve
from tenken.model.check import Provides, older_ids, present
from tenken.store.baseline import case_folder, case_hash, resolved
from tenken.store.checkfile import load_checks

CHECKS = load_checks([Path(__file__).resolve().parents[1]])
CHECK = CHECKS["mpi_pt2pt"]
# Of the folders in which sittings of mpi_pingpong were accepted.
ACCEPTED = {"pair": "954e6e97", "pair_by_size": "e4a25f80"}


def test_older_names_are_found() -> None:
    for case in ACCEPTED:
        assert present(f"mpi_pingpong:{case}", CHECKS) == f"mpi_pt2pt:{case}"
        assert older_ids(CHECK, case) == (f"mpi_pingpong:{case}",)
    assert present("mpi_pingpong", CHECKS) == "mpi_pt2pt"


@pytest.mark.parametrize("case", ACCEPTED)
def test_baselines_that_were_accepted_are_looked_for_where_they_are(case: str, tmp_path: Path) -> None:
    spec = next(one for one in CHECK.cases if one.name == case)
    found = case_hash(resolved(resolve(CHECK, spec, Facts(cores=2, memory_bytes=1 << 34))))
    assert found == ACCEPTED[case]
    assert case_folder(tmp_path, "toy", f"mpi_pingpong:{case}", found).name == f"mpi_pingpong--{case}-{ACCEPTED[case]}"


def test_the_figures_of_then_have_their_names_and_the_ceiling_of_networks_is_theirs() -> None:
    metrics = {metric.name: metric for metric in CHECK.metrics}
    for name, quantity in (("latency", "time_per_call"), ("bandwidth", "byte_rate")):
        assert (metrics[name].section, metrics[name].quantity, metrics[name].by) == ("exchange", quantity, "sizes")
    provided = {metric.name: metric.provides for metric in CHECK.metrics if metric.provides is not None}
    assert provided == {"bandwidth": Provides("network", by="sizes")}
