"""The program of variant cuda with its kernels in loops on the host: proofs, bytes of every section, refusals."""

from __future__ import annotations

from programs import Program, run_all, values

SIZE = 104856  # 13107 elements: odd
BYTES = {"copy/1": 16, "scale/1": 16, "add/1": 24, "triad/1": 24, "read/1": 8, "driver_copy": 16}  # an element


def test_kernels_of_a_card_as_loops(program: Program) -> None:
    on_host = program.on_host()
    for ranks in program.counts[:2]:
        lines = on_host.proved(ranks, ["--size", str(SIZE), "--in_cache", "true"])
        assert {line["name"] for line in lines if line["type"] == "validity"} == {"arrays", "read_sum"}
        paths = {section["id"]: section["path"] for section in lines[0]["sections"]}
        work = {paths[line["section"]]: line["work"] for line in lines if line["type"] == "series" and line["rank"] == 0}
        moved = {path: one["bytes_read"] + one["bytes_written"] for path, one in work.items()}
        assert moved == {path: bytes_an_element * (SIZE // 8) for path, bytes_an_element in BYTES.items()}, moved
        assert values(lines)["working_set_bytes"] == 3 * SIZE * ranks and values(lines)["section_cost"] > 0
        assert values(lines)["array_bytes"] == 4 * SIZE * ranks
    on_host.refused(1, ["--teams", "1,2"], "works with the whole card")
    on_host.refused(1, ["--page_size", "huge"], "has no choice of pages")
    on_host.refused(1, ["--size", "1GiB"], "GPU 0 (host): allocation of 1073741824 bytes for an array of stream failed", code=4)


if __name__ == "__main__":
    run_all(globals())
