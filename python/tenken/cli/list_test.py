from __future__ import annotations

import dataclasses

import pytest
from fake_build import check

from tenken.cli import here
from tenken.cli import list as module
from tenken.model.check import VariantSpec


def test_checks_show_what_is_not_built_and_what_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs = (VariantSpec("fortran", ("fortran",)), VariantSpec("gpu", ("cuda",)))
    toy = dataclasses.replace(check("toy"), variants=("plain", "fortran", "gpu"), variant_needs=needs)
    bad = dataclasses.replace(check("bad"), problem="bad/check.toml: title: is missing")
    monkeypatch.setattr(here, "catalogue", lambda: ({one.name: one for one in (toy, bad, check("dgemm"))}, {}))
    monkeypatch.setattr(module, "_not_built", lambda machine: {
        ("toy", "gpu"): "no CUDA compiler was found; Debian: nvidia-cuda-toolkit", ("dgemm", ""): "no CBLAS was found",
    })
    assert module.main(["checks"]) == 0
    assert [line.split(None, 2) for line in capsys.readouterr().out.splitlines()] == [
        ["toy", "toy"],
        ["variant", "fortran", "requires fortran"],
        ["variant", "gpu", "not built: no CUDA compiler was found; Debian: nvidia-cuda-toolkit"],
        ["bad", "broken", "bad/check.toml: title: is missing"],
        ["dgemm", "dgemm"],
        ["whole", "check", "not built: no CBLAS was found"],
    ]
