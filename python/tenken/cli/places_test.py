"""Who has the last word on the configuration, and what a user without a home folder is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tenken.base.errors import TenkenError
from tenken.base.regular import of_user
from tenken.cli import here, main, places
from tenken.launch import build_place


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The folders of configuration, least word first."""
    monkeypatch.setattr(places, "SITE", tmp_path / "etc")
    monkeypatch.setattr(places, "_typed", [])
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return {"etc": tmp_path / "etc", "home": tmp_path / "home/tenken", "typed": tmp_path / "typed"}


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def listed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main.main(["list", *words]) == 0
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_the_site_is_read_then_the_user_then_what_is_typed(site: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    for name, folder in site.items():
        suite = f'title = "of {name}"\nquestion = "Is it read?"\nbudget_s = 60\norder = "random"\n'
        put(folder, "suites/mine.toml", suite)
        put(folder, "machines/mine.toml", f'name = "mine"\ntitle = "of {name}"\nhosts = ["no-such-host"]\n')
        put(folder, "environments/mine.toml", f'flags = "-DOF_{name}"\n')
        put(folder, "config.toml", "")
        typed = (f"--config={folder}",) if name == "typed" else ()
        assert listed(capsys, "suites", *typed).count(f"mine 0 cases of {name}") == 1
        assert f"mine of {name}" in listed(capsys, "machines", *typed)
        assert here.named_environments(here.look(None))["mine"]["flags"] == f"-DOF_{name}"
        assert places.config("config.toml") == folder / "config.toml"


def test_a_typed_folder_of_configuration_must_exist(site: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["list", "--config", str(site["typed"])]) == main.main(["list", "--config"]) == 3
    first, second = capsys.readouterr().err.splitlines()
    assert f"--config {site['typed']}: no such folder; name one with config.toml, machines/" in first
    assert second == "tenken: --config: name a folder with config.toml, machines/, suites/ or environments/."


def test_a_user_without_a_home_is_told_what_to_name(
    site: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_home(cls: type[Path]) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", classmethod(no_home))
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TENKEN_RUNS", "TENKEN_BASELINES", "TENKEN_BUILD"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert of_user("XDG_CONFIG_HOME", ".config") is None
    assert places.folders("suites") == [places.TREE / "suites", site["etc"] / "suites"]
    assert places.config("config.toml") == site["etc"] / "config.toml"
    for name in ("runs", "baselines"):
        with pytest.raises(TenkenError, match=rf"name a folder with --{name} DIR or \$TENKEN_{name.upper()}.$"):
            getattr(places, name)(None)
    with pytest.raises(TenkenError, match="with TENKEN_BUILD or XDG_CACHE_HOME.$"):
        build_place.roots(tmp_path)
