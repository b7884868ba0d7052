"""What a directive says, as read from its text; offsets are those of the source."""

from __future__ import annotations

from dataclasses import dataclass, field

from xacc.text import Source

DECLARING = ("nodes", "template", "distribute", "align", "shadow", "static_desc", "save_desc")


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list in ( ) or [ ]: the parts between colons, and modifiers such as /periodic/."""

    parts: tuple[str, ...]
    offset: int
    modifiers: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return ":".join(self.parts)

    @property
    def star(self) -> bool:
        return self.parts == ("*",)

    @property
    def colon(self) -> bool:
        return self.parts == ("", "")

    def bounds(self, square: bool) -> tuple[str, str] | None:
        """Lower and upper bound of a template's dimension: of a size, lower:upper in ( ), lower:length in [ ]; None else."""
        if len(self.parts) > 2 or "" in self.parts or "*" in self.parts:
            return None
        first, last = (f"({p})" for p in (self.parts[0], self.parts[-1]))
        if len(self.parts) == 1:
            return ("0", f"{first} - 1") if square else ("1", first)
        return first, f"{first} + {last} - 1" if square else last


@dataclass(frozen=True, slots=True)
class Dims:
    square: bool
    items: tuple[Item, ...]
    offset: int

    def fastest_first(self) -> list[Item]:
        """Items in the order of ( ): lists in [ ] are reversed."""
        return list(reversed(self.items)) if self.square else list(self.items)


@dataclass(frozen=True, slots=True)
class Ref:
    """p, t[i][*], p(1:2,:)."""

    name: str
    offset: int
    dims: Dims | None


@dataclass(frozen=True, slots=True)
class Format:
    kind: str  # star | block | cyclic | gblock
    argument: str
    offset: int

    @property
    def open(self) -> bool:
        """Do its block sizes come by template_fix?"""
        return self.kind == "gblock" and self.argument.strip() == "*"


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of reduction or bcast: its text, and the locations between slashes."""

    text: str
    offset: int
    locations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reduction:
    op: str
    variables: tuple[Variable, ...]
    offset: int


@dataclass
class Directive:
    kind: str
    source: Source
    start: int  # of the line with #pragma
    end: int  # after its last character, before the line break
    offset: int  # of the name
    names: tuple[tuple[str, int], ...] = ()  # what it declares or acts on
    dims: Dims | None = None
    ref: Ref | None = None  # on, onto, with, =
    equals: str = ""  # "=" with ref; "=*" executing; "=**" entire
    from_ref: Ref | None = None
    formats: tuple[Format, ...] = ()
    formats_square: bool = False
    shadow: Dims | None = None
    reductions: tuple[Reduction, ...] = ()
    variables: tuple[Variable, ...] = ()
    widths: tuple[Item, ...] | None = None
    ring: tuple[str, tuple[Item, ...], int] | None = None  # expand | margin | peel_and_wait
    ids: tuple[str, ...] = ()  # of wait_async and peel_and_wait
    flags: frozenset[str] = field(default_factory=frozenset)
    asynchronous: str = ""
    section: str = ""  # of the clause profile
    first: Directive | None = None  # of several declarations in one pragma

    def formats_fastest_first(self) -> list[Format]:
        return list(reversed(self.formats)) if self.formats_square else list(self.formats)
