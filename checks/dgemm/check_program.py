"""The program of variant cuda with its products in loops on the host: proof, work, refusals."""

from __future__ import annotations

from programs import Program, run_all, values


def test_products_of_a_card_as_loops(program: Program) -> None:
    on_host = program.on_host()
    for ranks in program.counts[:2]:
        lines = on_host.proved(ranks, ["--n", "65"])
        assert {line["name"] for line in lines if line["type"] == "validity"} == {"freivalds"}
        works = [line["work"] for line in lines if line["type"] == "series"]
        assert works == ranks * [{"flop": 2 * 65**3, "bytes_read": 24 * 65**2, "bytes_written": 8 * 65**2, "messages": 0}], works
        assert values(lines)["section_cost"] > 0
    on_host.refused(1, ["--teams", "1,2", "--threads", "2"], "works with the whole card")


if __name__ == "__main__":
    run_all(globals())
