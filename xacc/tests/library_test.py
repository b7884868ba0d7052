"""Prototypes of xmp.h against those that the specification lists (XcalableMP 1.4); what the procedures refuse."""

from __future__ import annotations

import re
import subprocess

import pytest

from xacc_harness import TREE, Xacc

# As the specification has them, parameters without names.
SPECIFIED = """
MPI_Comm xmp_get_mpi_comm(void)
void xmp_init_mpi(int *, char ***)
void xmp_finalize_mpi(void)
void xmp_finalize(void)
int xmp_num_nodes(void)
int xmp_node_num(void)
int xmp_all_num_nodes(void)
int xmp_all_node_num(void)
void xmp_barrier(void)
int xmp_test_async(int)
double xmp_wtime(void)
double xmp_wtick(void)
int xmp_array_ndims(xmp_desc_t, int *)
int xmp_array_lbound(xmp_desc_t, int, int *)
int xmp_array_ubound(xmp_desc_t, int, int *)
int xmp_array_lsize(xmp_desc_t, int, int *)
int xmp_array_laddr(xmp_desc_t, void **)
int xmp_array_lshadow(xmp_desc_t, int, int *)
int xmp_array_ushadow(xmp_desc_t, int, int *)
int xmp_array_lead_dim(xmp_desc_t, int *)
int xmp_align_axis(xmp_desc_t, int, int *)
int xmp_align_offset(xmp_desc_t, int, int *)
int xmp_align_replicated(xmp_desc_t, int, int *)
int xmp_align_template(xmp_desc_t, xmp_desc_t *)
int xmp_template_fixed(xmp_desc_t, int *)
int xmp_template_ndims(xmp_desc_t, int *)
int xmp_template_lbound(xmp_desc_t, int, int *)
int xmp_template_ubound(xmp_desc_t, int, int *)
int xmp_dist_format(xmp_desc_t, int, int *)
int xmp_dist_blocksize(xmp_desc_t, int, int *)
int xmp_dist_gblockmap(xmp_desc_t, int, int *)
int xmp_dist_nodes(xmp_desc_t, xmp_desc_t *)
int xmp_dist_axis(xmp_desc_t, int, int *)
int xmp_nodes_ndims(xmp_desc_t, int *)
int xmp_nodes_index(xmp_desc_t, int, int *)
int xmp_nodes_size(xmp_desc_t, int, int *)
int xmp_nodes_attr(xmp_desc_t, int *)
int xmp_nodes_equiv(xmp_desc_t, xmp_desc_t *, int *, int *, int *)
"""
# Under a macro of the name that counts its arguments.
COUNTED = {"xmp_init(MPI_COMM_WORLD)": "void xmp_init_comm(MPI_Comm)", "xmp_array_gtol(d, 1, 2, &l)": "int xmp_array_gtol_dim(xmp_desc_t, int, int, int *)",
           "xmp_init(&argc, &argv)": "void xmp_init(int *, char ***)", "xmp_array_gtol(d, g, &l)": "int xmp_array_gtol(xmp_desc_t, int *, int *)"}
HEADER = TREE / "src" / "xacc" / "runtime"


def prototypes() -> set[str]:
    """Of xmp.h, without names of parameters."""
    text = re.sub(r"/\*.*?\*/", "", (HEADER / "xmp.h").read_text(encoding="utf-8"), flags=re.DOTALL)
    found = set()
    for result, name, parameters in re.findall(r"^([A-Za-z_]\w*) \(?(xmpc?_\w+)\)?\(([^()]*)\);", text, re.MULTILINE):
        types = []
        for one in parameters.split(","):
            pointer = re.sub(r"(\w+)\[\]$", r"*\1", one.strip())
            types.append(pointer if pointer == "void" else re.sub(r"\w+$", "", pointer).strip())
        found.add(f"{result} {name}({', '.join(types)})")
    return found


@pytest.mark.parametrize("wanted", [line for line in SPECIFIED.splitlines() if line] + list(COUNTED.values()))
def test_prototype(wanted: str) -> None:
    assert wanted in prototypes()


def test_counted_arguments_reach_the_right_function() -> None:
    calls = "\n".join(f"CALL {call}" for call in COUNTED)
    text = subprocess.run(["cc", "-E", "-P", "-xc", f"-I{HEADER}", "-"],
                          input=f"{_without_mpi()}\n{calls}\n", text=True,
                          capture_output=True, check=True).stdout
    called = re.findall(r"CALL \(?(\w+)\)?\(", text)
    assert called == [re.match(r"\w+ (\w+)", wanted).group(1) for wanted in COUNTED.values()]


def _without_mpi() -> str:
    return (HEADER / "xmp.h").read_text(encoding="utf-8").replace("#include <mpi.h>", "")


PROCEDURES = """#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[6]
#pragma xmp distribute t[block] onto p
int a[6], b[5], g[6][4], h[6][4], at[6];
float f[6];
#pragma xmp align [i] with t[i] :: a, b, f, at
#pragma xmp align [i][*] with t[i] :: g, h
int main(int argc, char **argv) {
#pragma xmp loop on t[i]
  for (int i = 0; i < 6; i++) at[i] = i + 1;
  switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: xmp_transpose(xmp_desc_of(g), xmp_desc_of(h), 0); break;
    case 1: xmp_matmul(xmp_desc_of(g), xmp_desc_of(g), xmp_desc_of(h)); break;
    case 2: xmp_gather(xmp_desc_of(a), xmp_desc_of(at), xmp_desc_of(at)); break;
    case 3: xmp_scatter(xmp_desc_of(a), xmp_desc_of(at), xmp_desc_of(b)); break;
    case 4: xmp_pack(xmp_desc_of(b), xmp_desc_of(a), xmp_desc_of(at)); break;
    case 5: xmp_sort_up(xmp_desc_of(a), xmp_desc_of(f)); break;
    case 6: xmp_sort_down(xmp_desc_of(g), xmp_desc_of(h)); break;
    case 7: xmp_pack(xmp_desc_of(a), xmp_desc_of(a), xmp_desc_of(f)); break;
  }
  return 0;
}
"""
REFUSED = ["g has 6 x 4 elements", "are not those of a product", "index 6 of dimension 1 of array at", "arrays b and at have different shapes",
           "chooses 6 elements of array a and array b has 5", "elements of one real type", "has 2 dimensions; 1 is needed", "that are no integers"]


def test_wrong_arguments_of_procedures_end_with_a_sentence(xacc: Xacc) -> None:
    built = xacc.build(PROCEDURES)
    assert built.returncode == 0, built.stderr
    for case, part in enumerate(REFUSED):
        done = xacc.run("./program", 2, str(case))
        assert done.returncode != 0 and part in done.stderr, (case, done.stderr)
