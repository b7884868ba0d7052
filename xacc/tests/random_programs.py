"""Random programs: distributions, offsets, shadows, loops, halos, reductions, gmove, library procedures, parts of nodes and
members of structures, each against a serial copy of its arrays."""

from __future__ import annotations

import math
import random

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
static int wrap(int i, int n) { return (i % n + n) % n; }
static void sizes(int *m, int nodes, int n, unsigned seed) {
  for (int k = 0; k < nodes; k++) {
    seed = seed * 1103515245u + 12345u;
    m[k] = k == nodes - 1 ? n : (int)(seed >> 16) % (n + 1) / (k % 2 + 1);
    n -= m[k];
  }
}
"""


class Case:
    def __init__(self, rng: random.Random, number: int) -> None:
        self.rng, self.number = rng, number
        self.proved = False  # leaves out the library and members, of which the proofs at compile time know little
        self.far = False  # draws gmove in and out, for which all arrays of the program lie in windows
        self.n = rng.choice((1, 2, 2, 3))
        self.size = [rng.randint(3, 11) for _ in range(self.n)]
        distributed = sorted(rng.sample(range(self.n), rng.choice((1, min(2, self.n)))))
        self.square = rng.random() < 0.6
        self.formats: list[str] = []
        self.offset, self.pad = [0] * self.n, [0] * self.n
        self.below, self.above = [0] * self.n, [0] * self.n
        kinds = ["block", "block", "block", "cyclic", f"cyclic({rng.randint(2, 3)})", *(["gblock(m)"] if len(distributed) == 1 else [])]
        for d in range(self.n):
            kind = rng.choice(kinds) if d in distributed else "*"
            self.formats.append(kind)
            if kind != "*":
                self.offset[d], self.pad[d] = rng.randint(0, 2), rng.randint(0, 2)
            if kind in ("block", "gblock(m)"):
                self.below[d], self.above[d] = rng.randint(0, 2), rng.randint(0, 2)
        self.distributed = distributed
        self.low = [0 if self.square else rng.randint(-2, 3) for _ in range(self.n)]
        self.collapsed_in_template = rng.random() < 0.5 or len(distributed) == self.n

    def listed(self, items: list[str]) -> str:
        return "".join(f"[{i}]" for i in items) if self.square else f"({','.join(reversed(items))})"

    def dims(self) -> list[int]:
        """Dimensions of the array that the template has."""
        return list(range(self.n)) if self.collapsed_in_template else self.distributed

    def at(self, array: str, shift: list[int] | None = None) -> str:
        shift = shift or [0] * self.n
        return array + "".join(f"[i{d}{s:+d}]" if s else f"[i{d}]" for d, s in enumerate(shift))

    def serial(self, array: str, shift: list[int], periodic: list[bool]) -> str:
        return array + "".join(f"[wrap(i{d}{s:+d}, {self.size[d]})]" if p else f"[i{d}{s:+d}]" for d, (s, p) in enumerate(zip(shift, periodic, strict=True)))

    def on(self) -> str:
        shift = [self.low[d] + self.offset[d] for d in range(self.n)]
        return "t" + self.listed([f"i{d}{shift[d]:+d}" if shift[d] else f"i{d}" for d in self.dims()])

    def loops(self, body: str, ranges: list[tuple[int, int, int]] | None = None, clause: str = "", on: str = "") -> str:
        lines = [f"#pragma xmp loop on {on or self.on()} {clause}".rstrip()] if clause != "serial" else []
        for d, (first, last, step) in enumerate(ranges or [(0, s - 1, 1) for s in self.size]):
            if step > 0:
                test = self.rng.choice((f"i{d} <= {last}", f"i{d} < {last + 1}"))
                lines.append(f"  for (int i{d} = {first}; {test}; i{d} += {step})")
            else:
                lines.append(f"  for (int i{d} = {last}; i{d} >= {first}; i{d} -= {-step})")
        return "\n".join([*lines, f"    {{ {body} }}"]) + "\n"

    def text(self) -> str:
        rng, extents = self.rng, "".join(f"[{s}]" for s in self.size)
        template = []
        for d in self.dims():
            length = self.size[d] + self.offset[d] + self.pad[d]
            template.append(f"{length}" if self.square else f"{self.low[d]}:{self.low[d] + length - 1}")
        names = "ijk"[: self.n]
        target = [f"{names[d]}{self.low[d] + self.offset[d]:+d}" for d in self.dims()]
        source = [names[d] if d in self.dims() else "*" for d in range(self.n)]
        nodes = self.listed(["*"] * len(self.distributed))
        formats = self.listed([self.formats[d] for d in self.dims()])
        shadow = "".join(f"[{b}:{a}]" for b, a in zip(self.below, self.above, strict=True))
        outside, inside = self.structure() if not self.proved and rng.random() < 0.3 else ("", "")
        out = [f"{outside}static void case{self.number}(void) {{", "  int m[64]; (void)m;"]
        for d in self.distributed:
            if self.formats[d] == "gblock(m)":
                out.append(f"  sizes(m, xmp_num_nodes(), {self.size[d] + self.offset[d] + self.pad[d]}, {rng.randint(1, 999)}u);")
        out += [
            f"#pragma xmp nodes p{nodes}", f"#pragma xmp template t{self.listed(template)}",
            f"#pragma xmp distribute t{formats} onto p", f"  int a{extents}, b{extents}, sa{extents}, sb{extents};",
            f"#pragma xmp align {''.join(f'[{s}]' for s in source)} with t{self.listed(target)} shadow {shadow} :: a",
            f"#pragma xmp align b{''.join(f'[{s}]' for s in source)} with t{self.listed(target)}", "  long s, ss; int top, stop, wrong = 0;",
        ]
        value = " + ".join(f"i{d} * {rng.randint(1, 97)}" for d in range(self.n))
        out += [self.loops(f"{self.at('a')} = {value}; {self.at('b')} = -1;"), self.loops(f"{self.at('sa')} = {value}; {self.at('sb')} = -1;", None, "serial")]
        for _ in range(rng.randint(1, 3)):
            out.append(self.stencil())
        out += [self.moves(), "" if self.proved else self.library(), inside]
        out.append(f"  if (wrong) {{ bad++; printf(\"case {self.number}: %d wrong\\n\", wrong); }}\n}}\n")
        return "\n".join(out)

    def stencil(self) -> str:
        rng, out = self.rng, ""
        below, above = [rng.randint(0, w) for w in self.below], [rng.randint(0, w) for w in self.above]
        periodic = [rng.random() < 0.4 and bool(b + a) for b, a in zip(below, above, strict=True)]
        orthogonal = rng.random() < 0.3
        if any(below) or any(above):
            widths = ",".join(f"{'/periodic/' if p else ''}{b}:{a}" for p, b, a in zip(periodic, below, above, strict=True))
            after = " orthogonal" if orthogonal else ""
            kind = rng.choice(("plain", "async", "do"))
            if kind == "do":
                out += f"#pragma xmp reflect_init (a) width({widths}){after}\n#pragma xmp reflect_do (a){rng.choice(('', ' nowait'))}\n"
            else:
                out += f"#pragma xmp reflect (a) width({widths}){after}" + (" async(4)\n#pragma xmp wait_async(4)\n" if kind == "async" else "\n")
        terms, serial = [], []
        ranges = []
        shifts = []
        for _ in range(rng.randint(1, 4)):
            shift = [rng.randint(-b, a) if self.formats[d] != "*" else 0 for d, (b, a) in enumerate(zip(below, above, strict=True))]
            if orthogonal and sum(map(bool, shift)) > 1:
                keep = rng.choice([d for d in range(self.n) if shift[d]])
                shift = [s if d == keep else 0 for d, s in enumerate(shift)]
            shifts.append(shift)
            c = rng.randint(1, 9)
            terms.append(f"{c} * {self.at('a', shift)}")
            serial.append(f"{c} * {self.serial('sa', shift, periodic)}")
        for d in range(self.n):
            first = 0 if periodic[d] else max(0, *(-s[d] for s in shifts))
            last = self.size[d] - 1 if periodic[d] else self.size[d] - 1 - max(0, *(s[d] for s in shifts))
            first, last = first + rng.choice((0, 0, 1)), last - rng.choice((0, 0, 1))
            ranges.append((first, last, rng.choice((1, 1, 1, 2, 3, -1, -2))))
        out += self.loops(f"{self.at('b')} = {' + '.join(terms)};", ranges)
        out += self.loops(f"{self.at('sb')} = {' + '.join(serial)};", ranges, "serial")
        over = [(0, s - 1, rng.choice((1, 1, 2, -1))) for s in self.size]
        clause = "reduction(+:s) reduction(max:top)"
        body = f"s += {self.at('b')}; if ({self.at('b')} > top) top = {self.at('b')};"
        out += "  s = ss = 5; top = stop = -100000;\n" + self.loops(body, over, clause)
        out += self.loops(body.replace("s +=", "ss +=").replace("top", "stop").replace("b[", "sb["), over, "serial")
        out += "  wrong += s != ss || top != stop;\n"
        out += self.loops(f"wrong += {self.at('b')} != {self.at('sb')};", None, "reduction(+:wrong)")
        out += self.loops(f"{self.at('a')} = {self.at('b')} % 101;") + self.loops(f"{self.at('sa')} = {self.at('sb')} % 101;", None, "serial")
        return out


    def section(self, count: list[int], lengths: list[int]) -> str:
        """Subscripts of so many elements in each dimension, 0 for an index."""
        rng, out = self.rng, ""
        for n, size in zip(count, lengths, strict=True):
            if n == size and rng.random() < 0.5:
                out += "[:]"
            elif n == 0:
                out += f"[{rng.randrange(size)}]"
            else:
                step = rng.choice([s for s in (1, 1, 2, 3) if (n - 1) * s < size])
                low = rng.randint(0, size - 1 - (n - 1) * step)
                out += f"[{low + (n - 1) * step}:{n}:-{step}]" if rng.random() < 0.2 else f"[{low}:{n}]" if step == 1 else f"[{low}:{n}:{step}]"
        return out

    def part(self, dims: int) -> tuple[str, str]:
        """Brackets of nodes, and those that choose a part of so many dimensions, which has nodes however many there are."""
        if self.rng.random() < 0.6:
            return "[*]" * dims, ""
        half = "xmp_num_nodes() / 2"
        if dims == 1 and self.rng.random() < 0.6:
            return "[*]", self.rng.choice((f"[0:{half} + 1]", f"[{half}:xmp_num_nodes() - {half}]"))
        chosen = ["[:]"] * dims
        chosen.insert(self.rng.randint(0, dims), "[0]")
        return "[*]" * (dims + 1), "".join(chosen)

    def mapped(self, name: str, size: list[int]) -> list[str]:
        """Declares an array of another mapping, perhaps replicated, perhaps on a part of the nodes."""
        rng, n, names = self.rng, len(size), "ijk"
        distributed = sorted(rng.sample(range(n), rng.choice((1, min(2, n)))))
        kinds = [rng.choice(("block", "cyclic", f"cyclic({rng.randint(2, 4)})")) if d in distributed else "*" for d in range(n)]
        low = [rng.randint(0, 2) for _ in range(n)]
        replicated = n > 1 and rng.random() < 0.25
        held = [d for d in range(n) if not (replicated and d == distributed[0])]
        axis = [names[d] + f"+{low[d]}" if d in held else "*" for d in range(n)]
        nodes, part = self.part(len(distributed))

        def in_brackets(items: list[object]) -> str:
            return "".join(f"[{item}]" for item in items)

        return [
            f"#pragma xmp nodes p_{name}{nodes}",
            f"#pragma xmp template t_{name}{in_brackets([s + a for s, a in zip(size, low, strict=True)])}",
            f"#pragma xmp distribute t_{name}{in_brackets(kinds)} onto p_{name}{part}", f"  int {name}{in_brackets(size)};",
            f"#pragma xmp align {name}{in_brackets([names[d] if d in held else '*' for d in range(n)])} with "
            f"t_{name}{in_brackets(axis)}",
        ]

    def library(self) -> str:
        """Procedures of the library from a to arrays of other mappings; the same by loops over the serial copy."""
        rng, size, out = self.rng, self.size, []
        if self.n > 2:
            return ""
        if self.n == 2:
            n, m = size
            out += [*self.mapped("v", [m, n]), *self.mapped("w", [n, n])]
            out.append(f"  int sv[{m}][{n}], sw[{n}][{n}], yv[{m}][{n}], yw[{n}][{n}];")
            out.append("  xmp_transpose(xmp_desc_of(v), xmp_desc_of(a), 0);")
            out.append("  xmp_matmul(xmp_desc_of(w), xmp_desc_of(a), xmp_desc_of(v));")
            out.append(f"  for (int i = 0; i < {n}; i++) for (int j = 0; j < {m}; j++) sv[j][i] = sa[i][j];")
            out.append(f"  for (int i = 0; i < {n}; i++) for (int k = 0; k < {n}; k++) {{")
            out.append(f"    sw[i][k] = 0; for (int j = 0; j < {m}; j++) sw[i][k] += sa[i][j] * sv[j][k];\n  }}")
        else:
            n, = size
            times = rng.choice([k for k in range(1, n + 1) if math.gcd(k, n) == 1])
            out += [*self.mapped("v", size), *self.mapped("w", size), f"  int sv[{n}], sw[{n}], yv[{n}], yw[{n}];"]
            out.append(f"  for (int i = 0; i < {n}; i++) sw[i] = ({times} * i + {rng.randrange(n)}) % {n};")
            out.append("#pragma xmp gmove\n  w[:] = sw[:];")
            word = rng.choice(("sort_up", "sort_down", "gather", "scatter"))
            if word.startswith("sort"):
                before = "<" if word == "sort_up" else ">"
                out.append(f"  xmp_{word}(xmp_desc_of(a), xmp_desc_of(v));\n  for (int i = 0; i < {n}; i++) {{")
                out.append(f"    int k = i; for (; k > 0 && sa[i] {before} sv[k - 1]; k--) sv[k] = sv[k - 1];")
                out.append("    sv[k] = sa[i];\n  }")
            else:
                out.append(f"  xmp_{word}(xmp_desc_of(v), xmp_desc_of(a), xmp_desc_of(w));")
                out.append(f"  for (int i = 0; i < {n}; i++) {'sv[i] = sa[sw[i]]' if word == 'gather' else 'sv[sw[i]] = sa[i]'};")
        for name in "vw":
            out.append(f"#pragma xmp gmove\n  y{name}{'[:]' * self.n} = {name}{'[:]' * self.n};")
            out.append(f"  wrong += memcmp(y{name}, s{name}, sizeof s{name}) != 0;")
        return "\n".join(out) + "\n"

    def structure(self) -> tuple[str, str]:
        """A structure with an aligned member, for file scope, and its use; what comes out is computed anew for each element."""
        rng, k, names = self.rng, self.number, "ijk"[: self.n]
        d, more = rng.randrange(self.n), rng.randint(0, 2)
        kind = rng.choice(("block", "block", "cyclic", "cyclic(2)"))
        nodes, part = self.part(1) if kind == "cyclic" else ("[*]", "")
        align = "".join(f"[{c}]" if i == d else "[*]" for i, c in enumerate(names))
        one, two, on = f"one{k}.u", f"two{k}.u", f"ts{k}[i{d}+{more}]"
        outside = [f"#pragma xmp nodes ps{k}{nodes}", f"#pragma xmp template ts{k}[{self.size[d] + more}]",
                   f"#pragma xmp distribute ts{k}[{kind}] onto ps{k}{part}",
                   f"struct s{k} {{ int before; int u{''.join(f'[{s}]' for s in self.size)}; }};",
                   f"#pragma xmp align s{k}.u{align} with ts{k}[{names[d]}+{more}]"]
        value, moved = " + ".join(f"{7 + 4 * i} * i{i}" for i in range(self.n)), 7 + 4 * d
        inside = self.loops(f"{self.at(one)} = {value}; {self.at(two)} = -1;", on=on)
        terms, want, ends = self.at(one), f"({value})", (0, self.size[d] - 1)
        if kind == "block":
            outside.append(f"#pragma xmp shadow s{k}.u{''.join('[1]' if i == d else '[0]' for i in range(self.n))}")
            inside += f"#pragma xmp reflect ({one})\n"
            below, above = ([s if i == d else 0 for i in range(self.n)] for s in (-1, 1))
            terms, want = f"{self.at(one, below)} + 2 * {self.at(one, above)}", f"(3 * ({value}) + {moved})"
            ends = (1, self.size[d] - 2)
        ranges = [ends + (1,) if i == d else (0, s - 1, 1) for i, s in enumerate(self.size)]
        inside += self.loops(f"{self.at(two)} = {terms};", ranges, on=on)
        within = f"i{d} >= {ends[0]} && i{d} <= {ends[1]}"
        failed = f'{{ bad++; printf("case {k}: a member is wrong\\n"); }}'
        inside += self.loops(f"if ({self.at(two)} != ({within} ? {want} : -1)) {failed}", on=on)
        return "\n".join([*outside, f"struct s{k} one{k}, two{k};\n"]), f"  one{k}.before = {k};\n" + inside

    def moves(self) -> str:
        """gmove between the mapping of a, another one of c, and local arrays x; the same by sections of the serial copies."""
        rng, n, out = self.rng, self.n, []
        extents = "".join(f"[{s}]" for s in self.size)
        out += [*self.mapped("c", self.size), f"  int sc{extents}, x{extents}, sx{extents};"]
        out.append(f"  memset(sc, 0, sizeof sc); memset(x, 0, sizeof x); memset(sx, 0, sizeof sx);  x{'[:]' * n} = 3; sx{'[:]' * n} = 3;")
        for to, of in [rng.choice((("c", "a"), ("a", "c"), ("c", "c"), ("a", "a"), ("x", "a"), ("x", "c"), ("c", "x"), ("a", "x"))) for _ in range(rng.randint(2, 5))]:
            count = [rng.choice((size, rng.randint(1, size), 0)) for size in self.size]
            given = [0] * n if rng.random() < 0.15 else count
            left, right = to + self.section(count, self.size), of + self.section(given, self.size)
            wait = rng.random() < 0.3
            if self.far and to != of and rng.random() < 0.6:
                word = rng.choice(("in", "out"))
                out.append(f"#pragma xmp barrier\n#pragma xmp gmove {word}\n  {left} = {right};\n#pragma xmp barrier\n  s{left} = s{right};")
                continue
            out.append(f"#pragma xmp gmove{' async(6)' if wait else ''}\n  {left} = {right};" + ("\n#pragma xmp wait_async(6)" if wait else ""))
            out.append(f"  s{left} = s{right};")
        count = [rng.choice((size, rng.randint(1, size))) for size in self.size]
        part = self.section(count, self.size)
        out.append(f"#pragma xmp array on t{self.listed([':'] * len(self.dims()))}\n  b{part} = 2 * a{part} + b{part};\n  sb{part} = 2 * sa{part} + sb{part};")
        out.append(self.loops(f"wrong += {self.at('b')} != {self.at('sb')} || {self.at('a')} != {self.at('sa')};", None, "reduction(+:wrong)"))
        out.append(f"  wrong += memcmp(x, sx, sizeof x) != 0;\n#pragma xmp gmove\n  x{'[:]' * n} = c{'[:]' * n};")
        out.append(f"  sx{'[:]' * n} = sc{'[:]' * n}; wrong += memcmp(x, sx, sizeof x) != 0;\n")
        return "\n".join(out)


def program(seed: int, cases: int, proved: bool = False) -> str:
    """A program of so many cases; it prints PASS and returns 0 when all agree. proved: only what the proofs follow."""
    rng = random.Random(seed)
    made = [Case(rng, i) for i in range(cases)]
    for case in made:
        case.far, case.proved = seed % 3 == 1, proved
    calls = "".join(f"  case{c.number}();\n" for c in made)
    return (HEAD + "\n".join(c.text() for c in made) + f"int main(void) {{\n{calls}  if (xmp_node_num() == 1) printf(\"%s\\n\", bad ? \"ERROR\" : \"PASS\");\n"
            "  return bad != 0;\n}\n")
