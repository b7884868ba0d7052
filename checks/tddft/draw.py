"""Tables and drawings of one run of tddft: vector potential and current, energy, forces, dielectric function.

    draw.py RECORD FOLDER

RECORD is what the program wrote with `--record`, or record.jsonl of a launch. For each of its tables FOLDER gets NAME.txt, and
for those that have time or energy in their first column NAME.svg.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

AXES = {"t": "t (atomic units, 24.19 as)", "eV": "photon energy (eV)"}
MOST_PANELS = 4  # beyond, all lines share one
FEW_ROWS = 50  # shown as points, too


def tables(path: Path) -> list[dict[str, Any]]:
    """The tables of a record, each with rows of numbers."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [line for line in lines if line["type"] == "table" and line["values"]]


def as_text(table: dict[str, Any]) -> str:
    head = f"# {table['name']}, {table['unit']}\n# " + " ".join(table["columns"]) + "\n"
    return head + "".join(" ".join("nan" if x is None else f"{x:.10g}" for x in row) + "\n" for row in table["values"])


def draw(table: dict[str, Any], path: Path) -> None:
    """The other columns over the first, as SVG."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    columns = table["columns"]
    values = list(zip(*table["values"], strict=True))
    together = len(columns) > MOST_PANELS
    rows = 1 if together else len(columns) - 1
    figure, panels = plt.subplots(rows, 1, sharex=True, figsize=(7, 1 + 2 * max(rows, 2)), squeeze=False)
    for number, (name, column) in enumerate(zip(columns[1:], values[1:], strict=True)):
        panel = panels[0 if together else number, 0]
        panel.plot(values[0], column, linewidth=1, label=name, marker="." if len(column) <= FEW_ROWS else None)
        panel.ticklabel_format(axis="y", useOffset=False)
        if not together:
            panel.set_ylabel(name)
            panel.margins(y=0.1)
    if together:
        panels[0, 0].legend(fontsize="x-small", ncols=6)
    panels[-1, 0].set_xlabel(AXES[columns[0]])
    unit = "" if table["unit"] == "1" else f" ({table['unit']})"
    figure.suptitle(table["name"].replace("_", " ") + unit)
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("draw.py needs a record and a folder: draw.py record.jsonl out", file=sys.stderr)
        return 3
    record, folder = map(Path, arguments)
    try:
        found = tables(record)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError, KeyError) as error:
        print(f"'{record}' cannot be read as a record, or '{folder}' cannot be written: {error}", file=sys.stderr)
        return 3
    for table in found:
        if table["columns"][0] not in AXES:
            continue
        (folder / f"{table['name']}.txt").write_text(as_text(table))
        draw(table, folder / f"{table['name']}.svg")
        print(folder / f"{table['name']}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
