"""Reads the papers' text a second time: `second_reading.py FOLDER` prints what tests/second_reading.tsv holds.

FOLDER holds the text of the five papers as 000*.txt to 004*.txt (ARTED on Knights Landing, Oakforest-PACS, FX100, HA-PACS,
ITO), made from their pages. This shares nothing with the machine files. Lines: entry, machine, rows, sum of the printed
values; or entry, "*", all numbers of the table or section, of which the figures of machine files must be some.
"""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from pathlib import Path

ORDER = ("hirokawa", "hanawa", "kitazawa", "nakao", "oshima")
NUMBER = re.compile(r"(?<![\d.])\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Reading:
    """The texts, and the lines found so far."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.glob("00[0-4]*.txt"))
        if len(files) != len(ORDER):
            sys.exit(f"{folder}: expected the texts of five papers, 000*.txt to 004*.txt, found {len(files)}")
        self.text = {name: file.read_text(encoding="utf-8") for name, file in zip(ORDER, files, strict=True)}
        self.lines: list[str] = []

    def part(self, paper: str, start: str, end: str) -> str:
        """The text from `start` to the next `end`."""
        text = self.text[paper]
        first = text.index(start)
        return text[first:text.index(end, first + len(start))]

    def say(self, entry: str, machine: str, rows: list[list[str]]) -> None:
        total = sum((Decimal(value.replace(",", "")) for row in rows for value in row), Decimal(0))
        self.lines.append(f"{entry}\t{machine}\t{len(rows)}\t{total:f}")

    def numbers(self, entry: str, *parts: str) -> None:
        found = {one.replace(",", "") for part in parts for one in NUMBER.findall(part)}
        self.lines.append(f"{entry}\t*\t{' '.join(sorted(found, key=float))}")


def kitazawa(read: Reading) -> None:
    whole = read.part("kitazawa", "各アプリの実行結果(全体)", "結果の分析")
    tables = whole.split("\n\tid\tname\tK\tFX100\n")[1:]
    for number, table in enumerate(tables, start=1):
        columns: tuple[list[list[str]], list[list[str]]] = ([], [])
        for line in table.splitlines():
            if percent := re.search(r"\(([\d.]+)%\)\s+\(([\d.]+)%\)", line):
                for column, value in zip(columns, percent.groups(), strict=True):
                    column[-1].append(value)
            elif seconds := re.search(r"([\d.]+)\t([\d.]+)\s*$", line):
                for column, value in zip(columns, seconds.groups(), strict=True):
                    column.append([value])
        read.say(f"kitazawa/results-{number}", "k", columns[0])
        read.say(f"kitazawa/results-{number}", "fx100", columns[1])
    page = read.part("kitazawa", "△8スレッド実行", "通信性能 (RSDFT")
    process = re.findall(r"Process\t([\d.]+)\t([\d.]+)%\t(\d+)\t(\d+)\t", page)
    busy = re.findall(r"(\d+)%\t(\d+)%\t(\d+)%\t([\d.]+)\t([\d.]+)", page)
    read.say("kitazawa/dgemm", "fx100", [[seconds, percent] for seconds, percent, _, _ in process])
    groups = [[rate, percent] for _, percent, rate, _ in process] + [[one[3]] for one in process]
    groups += [list(one[:3]) for one in busy] + [list(one[3:]) for one in busy]
    read.say("kitazawa/dgemm-counters", "fx100", groups)
    programs = read.part("kitazawa", "プログラム名\tアプリケーション概要\t並列数\t問題規模", "利用状況")
    read.say("kitazawa/programs", "k", [[ranks.replace(" ", "")] for ranks in re.findall(r"\t(\d+, \d+)\t", programs)])
    settings = read.part("kitazawa", "並列数 (ノード数)", "並列数の構成")
    read.say("kitazawa/settings", "fx100", [[nodes] for nodes in re.findall(r"\t[\d,]+ \(([\d,]+)\)\t", settings)])
    bcast = re.findall(r"node=\d\tproc=\d\t\d\t([\d.]+)\t([\d.]+)$", read.text["kitazawa"], re.MULTILINE)
    barrier = re.findall(r"node=8\tproc=\d+\t\d\t([\d.]+)\t([\d.]+)\t([\d.]+)$", read.text["kitazawa"], re.MULTILINE)
    read.say("kitazawa/bcast", "k", [[k] for k, _ in bcast])
    read.say("kitazawa/bcast", "fx100", [[fx100] for _, fx100 in bcast])
    read.say("kitazawa/barrier", "k", [[k] for k, _, _ in barrier])
    read.say("kitazawa/barrier", "fx100", [[value] for _, *fx100 in barrier for value in fx100])
    read.say("kitazawa/healthy", "fx100", [[one] for one in re.findall(r"→([\d.]+)$", read.text["kitazawa"], re.MULTILINE)])
    read.numbers("kitazawa/hardware", read.part("kitazawa", "ハードウェア諸元", "チューニングチュートリアル"))
    read.numbers("kitazawa/network", read.part("kitazawa", "(FX100理論性能: $12.5", "3次元形状"))
    read.numbers("kitazawa/bcast-text", read.part("kitazawa", "ノード内1mpiプロセス: 京", "→ ノード内通信に性能が"))


def oshima(read: Reading) -> None:
    def table(first: str, end: str) -> str:
        return read.part("oshima", f"\n{first} ", end)

    stream = re.findall(r"^\w+\t([\d.]+)$", table("表 3", "### 3.3"), re.MULTILINE)
    read.say("oshima/table-3", "ito-b", [[one] for one in stream])
    hpl = re.findall(r"^\d\t.*\t([\d.]+)\t([\d.]+) \(%\)$", table("表 4", "(Level-3"), re.MULTILINE)
    read.say("oshima/table-4", "ito-b", [list(one) for one in hpl])
    hpl = re.findall(r"^\d+ \* \d\t.*\t([\d.]+)\t([\d.]+)$", table("表 5", "RB と ITO"), re.MULTILINE)
    read.say("oshima/table-5", "ito-b", [list(one) for one in hpl])
    hpcg = re.findall(r"^\d+\t([\d.]+)\t([\d.]+)$", table("表 6", "表 7"), re.MULTILINE)
    read.say("oshima/table-6", "ito-b", [list(one) for one in hpcg])
    hpcg = re.findall(r"^\d+ \* \d\t([\d.]+)\t([\d.]+)\t([\d.]+)$", table("表 7", "(ピーク性能比は"), re.MULTILINE)
    read.say("oshima/table-7", "ito-b", [[v3, percent] for v3, _, percent in hpcg] + [[v24] for _, v24, _ in hpcg])
    ior = re.findall(r"^(?:Write|Read)\t(.*)$", table("表 8", "表 9"), re.MULTILINE)
    read.say("oshima/table-8", "ito-b", [one.split() for one in ior])
    mdtest = re.findall(r"^(?:単一|独立|)\t\d\t(.*)$", table("表 9", "Alamos"), re.MULTILINE)
    read.say("oshima/table-9", "ito-b", [one.split() for one in mdtest])
    geofem = re.findall(r"\t\d\t([\d.]+e[+-]\d)\t1305\t([\d.]+e[+-]\d)$", table("表 10", "最新の"), re.MULTILINE)
    read.say("oshima/table-10", "reedbush-u", [[value] for one in geofem[:2] for value in one])
    read.say("oshima/table-10", "ito-b", [[value] for one in geofem[2:] for value in one])
    read.numbers("oshima/table-1", table("表 1", "図 1"))
    read.numbers("oshima/table-2", table("表 2", "(a) 1"))
    sections = {
        "2": "## 3. 性", "3.2": "表 2 ITO", "3.3": "### 3.4", "3.4": "### 3.5", "3.5": "### 3.6", "3.8": "## 4. おわりに",
    }
    for number, end in sections.items():
        start = "## 2. ITO" if number == "2" else f"### {number} "
        read.numbers(f"oshima/section-{number}", read.part("oshima", start, end))


def hanawa(read: Reading) -> None:
    text = read.text["hanawa"]
    lines = read.part("hanawa", "(1) (2) (3) (4) (5)", "同期コスト").replace("\n\n", "\n").splitlines()[1:]
    read.say("hanawa/table-2", "oakforest-pacs", [one.split()[-5:] for one in lines if re.search(r"\d", one)])
    times = re.findall(r"実行時間 \(sec\) ([\d.]+) ([\d.]+)", text)[0]
    read.say("hanawa/table-3", "oakforest-pacs", [[one] for one in times])
    matrix = re.findall(r"^ ?\d+ ((?:[\d.]+E-\d+ ?)+)$", text, re.MULTILINE)
    read.say("hanawa/figure-7", "oakforest-pacs", [one.split() for one in matrix])
    read.numbers("hanawa/table-1", read.part("hanawa", "略称 OFP", "OPA ドライバ"))
    read.numbers("hanawa/section-2", read.part("hanawa", "1. はじめに", "表 1 実験環境"))
    words, rates = read.part("hanawa", "3.1 OpenMP マイクロ", "3.2 OpenMP"), read.part("hanawa", "その結果，同一タイル", "図 10")
    read.numbers("hanawa/section-3", words, rates)
    read.numbers("hanawa/section-4", read.part("hanawa", "同期コストを軽減する", "1 do itr"), text.split("5. おわりに")[1])


def hirokawa(read: Reading) -> None:
    for number, end in ((2, "クロは"), (3, "表 4"), (4, "により性能")):
        rows = re.findall(r"^(KNL|KNC ×2|SPARC64 XIfx|IVB ×2)\t(.*)$", read.part("hirokawa", f"表 {number} ", end), re.MULTILINE)
        for machine, names in {
            "oakforest-pacs": ("KNL",), "coma": ("KNC ×2", "IVB ×2"), "fx100-nagoya": ("SPARC64 XIfx",),
        }.items():
            values = [one.split() for name, one in rows if name in names]
            if values:
                read.say(f"hirokawa/table-{number}", machine, values if number == 3 else [[v] for one in values for v in one])
    table = read.part("hirokawa", "表 5 ", "Xeon CPU+OPA")
    threads, ranks = re.findall(r"\t(\d+) \(\d+-cores\)", table), re.findall(r"^\w+\t(\d+)\t", table, re.MULTILINE)
    read.say("hirokawa/table-5", "oakforest-pacs", [[one] for one in ranks + threads])
    read.numbers("hirokawa/table-1", read.part("hirokawa", "表 1 本研究", "一般的な CPU"))
    read.numbers("hirokawa/section-1", read.text["hirokawa"].split("2. ARTED")[0])
    read.numbers("hirokawa/section-5", read.part("hirokawa", "5.2 ", "6. 時間"))
    read.numbers("hirokawa/section-6", read.part("hirokawa", "6.1 ", "6.2 "), read.part("hirokawa", "Si は KNC only", "7. まとめ"))


def nakao(read: Reading) -> None:
    number = r"(?<![\w.])[\d,]+(?![\w.])"
    lines = read.part("nakao", "表 2: ", "表 3").splitlines()
    columns: list[list[str]] = [[], [], [], []]
    for line in lines:
        cells = line.split("\t")
        if len(cells) == 5 and cells[0]:
            for column, cell in zip(columns, cells[1:], strict=True):
                column += re.findall(number, cell)
    read.say("nakao/table-2", "ha-pacs-tca", columns)
    lines = read.part("nakao", "表 3: ", "#define LT").splitlines()
    rows = [re.findall(number, line) for line in lines if re.match(r"(Total|Add|Delete|Modify)\t", line)]
    read.say("nakao/table-3", "ha-pacs-tca", [list(column) for column in zip(*rows, strict=True)])
    read.numbers("nakao/table-1", read.part("nakao", "表 1: ", "図 3"))
    read.numbers("nakao/section-2", read.part("nakao", "## 2.4 TCA", "3.1 "))
    gains, faces = read.part("nakao", "性能結果を図 18", "図 20 のよう"), read.part("nakao", "この指示文を利用した", "3 章の結果より")
    read.numbers("nakao/section-5", gains, faces)
    read.numbers("nakao/section-5-lines", read.part("nakao", " 5.3.1", " 5.3.2"))


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("usage: second_reading.py FOLDER    (the texts of the five papers)")
    read = Reading(Path(sys.argv[1]))
    for paper in (kitazawa, oshima, hanawa, hirokawa, nakao):
        paper(read)
    print("\n".join(sorted(read.lines)))


if __name__ == "__main__":
    main()
