"""The machine as nested boxes: node, packages, NUMA nodes, last-level caches, cores with their CPUs, memory, cards."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tenken.report.machine_text import clean, measured_hz, size

_LINE, _PAD, _GAP = 14.0, 8.0, 6.0
_PAGE = 1300.0  # width that boxes side by side may take
_LONGEST = 46  # characters of a name that came from the machine

_STYLE = """
  text { font: 11px system-ui, "DejaVu Sans", sans-serif; fill: #1b2733; }
  .title { font-weight: 600; }
  .page { fill: #ffffff; }
  .node { fill: #f6f8fa; stroke: #57606a; }
  .package { fill: #eaeef2; stroke: #57606a; }
  .numa { fill: #ffffff; stroke: #8c959f; }
  .memory { fill: #fff3d6; stroke: #bf8700; }
  .cache { fill: #eef6ff; stroke: #54aeff; }
  .core { fill: #d3ecd9; stroke: #2da44e; }
  .unusable { fill: #f0f0f0; stroke: #aaaaaa; stroke-dasharray: 3 2; }
  .card { fill: #f3eaff; stroke: #8250df; }
"""


@dataclass(frozen=True, slots=True)
class _Box:
    """A drawn rectangle: `body` holds SVG with the origin at its upper left corner."""

    width: float
    height: float
    body: str


def drawing(machine_json: Mapping[str, Any]) -> str:
    """A self-contained SVG. Nodes that look alike are drawn once and counted."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for node in machine_json["nodes"]:
        groups.setdefault(_looks(node), []).append(node)
    nodes = [_node(group) for group in groups.values()]
    first = machine_json["nodes"][0].get("host")
    others = len(machine_json["nodes"]) - 1
    title = f"{_name(first)}{f' and {others} more' if others else ''}, {_name(machine_json['date'])}"
    legend = "CPUs as the system numbers them; dashed: may not be used by this job. GHz: measured with all cores busy."
    content = _stack([_lines([title], "title"), *nodes, _lines([legend])])
    width, height = content.width + 2 * _PAD, content.height + 2 * _PAD
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">\n<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n'
        f'<rect class="page" width="100%" height="100%"/>\n{_at(content, _PAD, _PAD)}\n</svg>\n'
    )


def _looks(node: Mapping[str, Any]) -> str:
    """The parts of a node in a drawing, without facts that differ between sound nodes."""
    memory = size((node.get("memory") or {}).get("total_bytes"))
    topology = node.get("topology") or {}
    shape = [topology.get(key) for key in ("cores", "usable", "caches")]
    cards = [(card.get("name"), card.get("pci")) for kind in ("gpus", "network") for card in node.get(kind) or ()]
    return repr(((node.get("cpu") or {}).get("model_name"), memory, shape, cards))


def _name(text: object) -> str:
    text = clean(text if text is not None else "unknown")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _text(text: str) -> str:
    return html.escape(text, quote=True)


def _width(text: str) -> float:
    """Pixels of a text at 11 px, estimated from above: fonts differ from reader to reader."""
    wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
    high = sum(1 for c in text if c.isupper() or c.isdigit())
    return 6.4 * len(text) + 1.2 * high + 5.6 * wide


def _at(box: _Box, x: float, y: float) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{box.body}</g>'


def _lines(texts: Sequence[str], klass: str = "") -> _Box:
    style = f' class="{klass}"' if klass else ""
    rows = [f'<text{style} x="0" y="{row * _LINE + 11:.1f}">{_text(text)}</text>' for row, text in enumerate(texts)]
    return _Box(max(map(_width, texts), default=0.0), len(texts) * _LINE, "".join(rows))


def _stack(boxes: Iterable[_Box]) -> _Box:
    width = y = 0.0
    body = []
    for box in boxes:
        if box.height == 0:
            continue
        body.append(_at(box, 0, y))
        width, y = max(width, box.width), y + box.height + _GAP
    return _Box(width, max(0.0, y - _GAP), "\n".join(body))


def _rows(boxes: Sequence[_Box], columns: int | None = None) -> _Box:
    """Boxes side by side, `columns` to a row, or as many as fit a page."""
    if columns is None:
        columns = int(_PAGE / max((box.width for box in boxes), default=_PAGE))
    rows = []
    columns = max(1, columns)
    for start in range(0, len(boxes), columns):
        x, body, height = 0.0, [], 0.0
        for box in boxes[start : start + columns]:
            body.append(_at(box, x, 0))
            x, height = x + box.width + _GAP, max(height, box.height)
        rows.append(_Box(x - _GAP, height, "".join(body)))
    return _stack(rows)


def _frame(klass: str, *parts: _Box) -> _Box:
    inside = _stack(parts)
    width, height = inside.width + 2 * _PAD, inside.height + 2 * _PAD
    rectangle = f'<rect class="{klass}" width="{width:.1f}" height="{height:.1f}" rx="4"/>'
    return _Box(width, height, rectangle + _at(inside, _PAD, _PAD))


def _label(klass: str, *texts: str) -> _Box:
    return _frame(klass, _lines(texts))


def _square(count: int) -> int:
    """Columns that make `count` boxes, about twice as wide as high, a block of a readable shape."""
    columns = 1
    while columns * columns * 2 < count * 3 and columns < 8:
        columns *= 2
    return min(columns, max(1, count))


def _node(group: Sequence[Mapping[str, Any]]) -> _Box:
    node = group[0]
    cpu, memory, topology = (node.get(key) or {} for key in ("cpu", "memory", "topology"))
    hosts = ", ".join(_name(member.get("host")) for member in group[:4]) + (", …" if len(group) > 4 else "")
    hz = measured_hz(node)
    about = [
        f"{f'{len(group)} nodes alike: ' if len(group) > 1 else ''}{hosts}",
        f"{_name(cpu.get('model_name'))} · {size(memory.get('total_bytes'))}{f' · {hz / 1e9:.2f} GHz' if hz else ''}",
    ]
    packages: dict[Any, list[Mapping[str, Any]]] = {}
    for core in topology.get("cores") or ():
        packages.setdefault(core.get("package"), []).append(core)
    drawn = [_package(node, number, cores) for number, cores in packages.items()]
    homes = {core.get("numa") for core in topology.get("cores") or ()}
    loose = [_card(card) for card in _cards(node) if card.get("numa") not in homes or card.get("numa") is None]
    return _frame("node", _lines(about[:1], "title"), _lines(about[1:]), _rows(drawn), _rows(loose))


def _package(node: Mapping[str, Any], number: object, cores: Sequence[Mapping[str, Any]]) -> _Box:
    homes: dict[Any, list[Mapping[str, Any]]] = {}
    for core in cores:
        homes.setdefault(core.get("numa"), []).append(core)
    title = f"package {'unknown' if number is None else number}: {len(cores)} core{'s'[: len(cores) > 1]}"
    return _frame("package", _lines([title], "title"), _rows([_numa(node, *item) for item in homes.items()]))


def _numa(node: Mapping[str, Any], number: Any, cores: Sequence[Mapping[str, Any]]) -> _Box:
    topology = node.get("topology") or {}
    told: Mapping[str, Any] = next((numa for numa in topology.get("numa") or () if numa["id"] == number), {})
    name = f"memory of NUMA node {number}" if number is not None else "memory"
    memory = _label("memory", f"{name}: {size(told.get('memory_bytes'))}")
    cards = [_card(card) for card in _cards(node) if number is not None and card.get("numa") == number]
    groups = _last_level(topology, cores)
    drawn = [_cache(node, cache, members) for cache, members in groups]
    return _frame("numa", memory, _rows(drawn, max(1, _square(len(drawn)) // 2)), _rows(cards, 2))


def _last_level(
    topology: Mapping[str, Any], cores: Sequence[Mapping[str, Any]]
) -> list[tuple[Mapping[str, Any] | None, list[Mapping[str, Any]]]]:
    """Cores by the largest cache they share with others; None where a core shares none or the sharing is unknown."""
    data = [cache for cache in topology.get("caches") or () if cache["type"] != "Instruction"]
    last = max((cache["level"] for cache in data), default=0)
    owner = {cpu: cache for cache in data if cache["level"] == last for cpu in cache["cpus"]}
    groups: dict[int, tuple[Mapping[str, Any] | None, list[Mapping[str, Any]]]] = {}
    for core in cores:
        cache = owner.get(core["cpus"][0])
        groups.setdefault(id(cache), (cache, []))[1].append(core)
    return list(groups.values())


def _cache(node: Mapping[str, Any], cache: Mapping[str, Any] | None, cores: Sequence[Mapping[str, Any]]) -> _Box:
    boxes = _rows([_core(node, core) for core in cores], _square(len(cores)))
    own = _own_caches(node.get("topology") or {}, cores[0], cache)
    title = f"L{cache['level']} {size(cache['bytes'])}" if cache else "caches unknown"
    return _frame("cache", _lines([title, *([own] if own else [])]), boxes)


def _own_caches(topology: Mapping[str, Any], core: Mapping[str, Any], last: Mapping[str, Any] | None) -> str:
    inner = [c for c in topology.get("caches") or () if c is not last and core["cpus"][0] in c["cpus"]]
    letters = {"Data": "d", "Instruction": "i"}
    names = [f"L{c['level']}{letters.get(c['type'], '')} {size(c['bytes'])}" for c in inner]
    return f"a core: {', '.join(names)}" if names else ""


def _core(node: Mapping[str, Any], core: Mapping[str, Any]) -> _Box:
    usable = set((node.get("topology") or {}).get("usable") or ())
    measured = {m["cpu"]: m.get("best_hz") for m in (node.get("frequency") or {}).get("measured") or ()}
    hz = next((measured[cpu] for cpu in core["cpus"] if measured.get(cpu)), None)
    cpus = " ".join(map(str, core["cpus"]))
    text = _lines([cpus, f"{hz / 1e9:.2f}"] if hz else [cpus])
    digits = len(str(max((node.get("topology") or {}).get("online") or core["cpus"])))
    width = _width(" ".join(["0" * digits] * len(core["cpus"])))  # the same for all cores of the node
    return _frame("core" if usable & set(core["cpus"]) else "unusable", replace(text, width=max(width, text.width)))


def _cards(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [*(node.get("gpus") or ()), *(card for card in node.get("network") or () if not card.get("virtual"))]


def _card(card: Mapping[str, Any]) -> _Box:
    rate, memory = card.get("bits_per_second"), card.get("memory_bytes")
    about = [size(memory) if memory else "", f"{rate / 1e9:g} Gbit/s" if rate else "", card.get("driver") or ""]
    what = " ".join(filter(None, about)) or "no data"
    return _label("card", _name(card.get("name") or card.get("vendor")), _name(what))
