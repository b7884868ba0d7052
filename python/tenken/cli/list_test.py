from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from fake_build import check, fake_build

from tenken.cli import here, list as module
from tenken.model.check import VariantSpec


def test_checks_show_what_is_not_built_and_what_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    needs = (VariantSpec("fortran", ("fortran",)), VariantSpec("gpu", ("cuda",)))
    toy = dataclasses.replace(check("toy"), variants=("plain", "fortran", "gpu"), variant_needs=needs)
    bad = dataclasses.replace(check("bad"), problem="bad/check.toml: title: is missing")
    monkeypatch.setattr(here, "catalogue", lambda: ({one.name: one for one in (toy, bad, check("dgemm"))}, {}))
    missing = {("toy", "gpu"): "no CUDA compiler was found; Debian: nvidia-cuda-toolkit", ("dgemm", ""): "no CBLAS was found"}
    monkeypatch.setattr(module, "_built", lambda machine: dataclasses.replace(fake_build(tmp_path), unavailable=missing))
    assert module.main(["checks"]) == 0
    assert [line.split(None, 2) for line in capsys.readouterr().out.splitlines()] == [
        ["toy", "toy"],
        ["variant", "fortran", "requires fortran"],
        ["variant", "gpu", "not built: no CUDA compiler was found; Debian: nvidia-cuda-toolkit"],
        ["bad", "broken", "bad/check.toml: title: is missing"],
        ["dgemm", "dgemm"],
        ["whole", "check", "not built: no CBLAS was found"],
    ]


@pytest.mark.parametrize(("programs", "missing", "devices", "expected"), [
    (("toy",), {}, 0, "built, no device"),
    (("toy",), {}, 2, "requires cuda"),
    ((), {}, 0, "requires cuda"),  # not built yet
    (("toy",), {("toy", "gpu"): "no CUDA compiler was found"}, 0, "not built: no CUDA compiler was found"),
])  # fmt: skip
def test_a_variant_of_a_device_is_listed_as_built_where_no_device_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], programs: tuple[str, ...],
    missing: dict[tuple[str, str], str], devices: int, expected: str,
) -> None:
    toy = dataclasses.replace(check("toy"), variants=("plain", "gpu"), variant_needs=(VariantSpec("gpu", ("cuda",)),))
    monkeypatch.setattr(here, "catalogue", lambda: ({"toy": toy}, {}))
    monkeypatch.setattr(module, "cuda_devices", lambda: devices)
    monkeypatch.setattr(
        module, "_built", lambda machine: dataclasses.replace(fake_build(tmp_path, *programs), unavailable=missing))
    assert module.main(["checks"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split(None, 2) == ["variant", "gpu", expected]
