"""xacc cc: from files to translated files, objects and a program."""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from xacc.ast import shown
from xacc.fixes import patch
from xacc.messages import Messages, XaccError, nearest
from xacc.serial import serial_text
from xacc.text import Source
from xacc.translate import Options, Unit, sibling, translate

RUNTIME = Path(__file__).resolve().parent / "runtime"
DEFINED = "-D_XCALABLEMP=201811"  # by which programs ask whether their directives are translated: the date of the specification
_UNDEFINED = re.compile(r"undefined (?:reference to|symbol:?) [`'\"]?(?:xacc_[gd]_)?(\w+)")
_LINKER = re.compile(r"^.*(?:\bld\b.*: |undefined |\.text)", re.MULTILINE)  # the first line of its messages
_ROUNDS = 8  # of repairs, each of messages that come up after the one before
_FIELDS = {"-o": "output", "--cc": "cc"}  # what follows goes into the build itself
_PAIRS = ("-I", "-D", "-U", "-L", "-include", "-isystem", "-x")  # what follows goes to the compiler with them
_SWITCHES = ("--emit", "--diff", "--explain", "--serial", "--check", "--acc", "--no-shift", "--fix")


@dataclass
class Build:
    files: list[Path] = field(default_factory=list)
    objects: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    output: str = ""
    compile_only: bool = False
    switches: set[str] = field(default_factory=set)
    as_json: bool = False
    cc: str = ""

    def on(self, switch: str) -> bool:
        return f"--{switch}" in self.switches


def read_arguments(words: list[str], need_files: bool = True) -> Build:
    build, rest = Build(), iter(words)
    for word in rest:
        if word in _SWITCHES:
            build.switches.add(word)
        elif word in _FIELDS or word in _PAIRS:
            value = next(rest, None)
            if value is None:
                raise XaccError(f"{word} needs a value after it.")
            if word in _FIELDS:
                setattr(build, _FIELDS[word], value)
            else:
                build.flags += [word, value]
        elif word.startswith("--cc="):
            build.cc = word[5:]
        elif word.startswith("--diagnostics-format"):
            value = word.partition("=")[2]
            if value not in ("json", "text"):
                raise XaccError(f"{word}: json or text expected after the =.")
            build.as_json = value == "json"
        elif word == "-c":
            build.compile_only = True
        elif word.startswith("--") and not word.startswith("--param"):
            raise XaccError(f"unknown option {word}{nearest(word, _SWITCHES) or '; xacc --help lists them.'}")
        elif word.startswith("-"):
            build.flags.append(word)
        elif re.search(r"\.[fF](?:\d\d)?$", word):
            raise XaccError(f"{word} is Fortran; xacc translates C.")
        elif word.endswith((".o", ".a", ".so")):
            build.objects.append(word)
        else:
            build.files.append(Path(word))
    if need_files and not build.files:
        raise XaccError("no source file is given; xacc cc FILE.c -o PROG.")
    for path in build.files:
        if path.suffix != ".c":
            raise XaccError(f"{path} is no C file; its name must end in .c.")
        if not path.is_file():
            raise XaccError(f"{path} does not exist.")
    if build.on("check") and build.on("acc"):
        raise XaccError("--check looks at accesses on the host; leave --acc out.")
    return build


def _done(command: list[str], env: dict[str, str], folder: str | None = None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise XaccError(f"{command[0]} cannot be run ({error.strerror}); install MPI's compiler wrapper, for example libopenmpi-dev.") from None


def environment(build: Build) -> dict[str, str]:
    env = dict(os.environ)
    if build.cc:
        env["OMPI_CC"] = env["MPICH_CC"] = env["I_MPI_CC"] = build.cc
    return env


def parse_flags(build: Build, env: dict[str, str]) -> list[str]:
    """What libclang must know: include paths and macros of the compiler behind mpicc."""
    words = shlex.split(_done([_mpicc(), "-show"], env).stdout)
    flags = [DEFINED, *(w.replace("-I", "-isystem", 1) for w in words[1:] if w.startswith(("-I", "-D")))]
    own = build.flags
    for i, w in enumerate(own):
        if w in ("-I", "-D", "-U", "-include", "-isystem"):
            flags += [w, own[i + 1]]
        elif w.startswith(("-I", "-D", "-U", "-std=", "-isystem")):
            flags.append(w)
        elif w.startswith("-fopenmp"):  # libclang itself is to see the loops, not what OpenMP makes of them
            flags.append("-D_OPENMP=201511")
    include = _done([words[0] if words else "cc", "-print-file-name=include"], env).stdout.strip()
    flags += [f"-I{RUNTIME}", "-DXACC_PARSING", "-include", str(RUNTIME / "xmp_desc.h"), "-Wno-everything", "-Wgnu-folding-constant", "-ferror-limit=0"]
    if include and Path(include).is_dir():
        flags += ["-idirafter", include]
    if build.on("acc"):
        flags.append("-D_OPENACC=201711")
    return flags


def _mpicc() -> str:
    return os.environ.get("XACC_MPICC", "mpicc")


def runtime(build: Build, env: dict[str, str]) -> str:
    """The archive of the runtime for this compiler and these flags, made once and kept."""
    keep = [f for f in build.flags if re.match(r"-(O|g|m|f(?!openmp))", f)]
    keep += [] if any(f.startswith("-O") for f in keep) else ["-O2"]
    keep += [f"-DXACC_{s.upper().replace('-', '_')}" for s in ("no-shift", "explain", "check") if build.on(s)]
    keep += ["-fopenacc"] if build.on("acc") else []
    compiler = [_done([_mpicc(), word], env).stdout for word in ("-show", "--version")]
    sources = sorted(RUNTIME.glob("*.c"))
    state = hashlib.sha256()
    for path in sorted(RUNTIME.glob("*.[ch]")):
        state.update(path.read_bytes())
    state.update(repr((compiler, keep)).encode())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "xacc"
    archive = cache / state.hexdigest()[:24] / "libxacc.a"
    if archive.is_file():
        return str(archive)
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        archive = Path(tempfile.mkdtemp(prefix="xacc-")) / "libxacc.a"
    with tempfile.TemporaryDirectory(dir=archive.parent) as folder:
        done = _done([_mpicc(), "-std=gnu11", *keep, "-c", *map(str, sources)], env, folder)
        if done.returncode:
            raise XaccError(f"the runtime does not compile:\n{done.stderr}")
        made = Path(folder) / "libxacc.a"
        subprocess.run(["ar", "rcs", str(made), *sorted(str(p) for p in Path(folder).glob("*.o"))], check=True)
        os.replace(made, archive)
    return str(archive)


def copy_runtime(build: Build) -> int:
    """The runtime by itself, for programs that are linked by something else than xacc."""
    if not build.output or build.files or build.objects:
        raise XaccError("xacc runtime -o FILE.a [flags of the compiler]; it takes no sources.")
    shutil.copyfile(runtime(build, environment(build)), build.output)
    return 0


def _emit(build: Build, units: list[Unit]) -> int:
    if build.output and len(units) > 1:
        raise XaccError("-o names one file, and more than one is translated; leave it out.")
    for unit in units:
        if build.on("diff"):
            headers = [(path, Path(path).read_text(encoding="latin-1"), text) for path, text in unit.headers.items()]
            for name, *texts in [(unit.source.name, unit.source.text, unit.text), *headers]:
                before, after = (text.splitlines(keepends=True) for text in texts)
                sys.stdout.writelines(difflib.unified_diff(before, after, name, f"{name} (translated)", n=0))
        elif build.output:
            Path(build.output).write_bytes(unit.text.encode("latin-1"))
            for path, text in unit.headers.items():
                (Path(build.output).parent / sibling(path)).write_bytes(text.encode("latin-1"))
        else:
            _print(unit.text)
    return 0


def _print(text: str) -> None:
    """Text of a source, in its own encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("latin-1"))
    sys.stdout.buffer.flush()


def _write(folder: Path, number: int, source: Source, text: str, headers: dict[str, str]) -> Path:
    target = folder / str(number)
    target.mkdir()
    out = target / source.path.name
    out.write_bytes(text.encode("latin-1"))
    for path, header in headers.items():
        relative = os.path.relpath(path, source.path.parent)
        place = target / (sibling(path) if relative.startswith("..") else str(Path(relative).parent / sibling(path)))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(header.encode("latin-1"))
    return out


def _serial(build: Build, env: dict[str, str], messages: Messages) -> int:
    """The program without its directives. Extents of file-scope arrays that are constant variables are written out, as translation does."""
    sources = [Source.read(path.resolve(), str(path)) for path in build.files]
    with tempfile.TemporaryDirectory(prefix="xacc-") as name:
        files = list(map(str, build.files))
        for number, source in enumerate(sources):
            if folded := serial_text(source, [f for f in parse_flags(build, env) if f != DEFINED], messages):
                files[number] = str(_write(Path(name), number, source, folded, {}))
        if messages.failed:
            messages.show(build.as_json)
            return 1
        mpi = any(re.search(r"^[ \t]*#[ \t]*include[ \t]*<mpi\.h>", source.blank, re.MULTILINE) for source in sources)
        include = [f"-I{RUNTIME / 'serial'}", *(f"-I{source.path.parent}" for source in sources)]
        command = [_mpicc() if mpi else build.cc or "cc", *include, *build.flags, *files, *build.objects]
        command += ["-c"] if build.compile_only else []
        return _compile([*command, *(["-o", build.output] if build.output else []), "-lm"], env)


def _fix(build: Build, sources: list[Source], options: Options) -> int:
    """Prints a patch with the repairs of the messages, and of those that come up once it is applied; 1 where errors are left."""
    now = sources
    for _ in range(_ROUNDS):
        messages = Messages()
        translate([Source(s.path, s.name, s.text) for s in now], options, messages)
        after = [Source(s.path, s.name, messages.fixes.applied(s)) for s in now]
        if [s.text for s in after] == [s.text for s in now]:
            break
        now = after
    for before, done in zip(sources, now, strict=True):
        _print("".join(patch(before, done.text)))
    messages.show(build.as_json)
    return int(messages.failed)


def run(build: Build) -> int:
    env = environment(build)
    messages = Messages()
    if build.on("serial"):
        return _serial(build, env, messages)
    sources = [Source.read(path.resolve(), str(path)) for path in build.files]
    options = Options(not build.on("no-shift"), build.on("check"), build.on("acc"), build.on("explain"), tuple(parse_flags(build, env)),
                      not (build.compile_only or build.objects or build.on("emit") or build.on("diff")))
    if build.on("fix"):
        return _fix(build, sources, options)
    units = translate(sources, options, messages)
    if messages.failed or build.on("emit") or build.on("diff"):
        messages.show(build.as_json)
        return 1 if messages.failed else _emit(build, units)
    with tempfile.TemporaryDirectory(prefix="xacc-") as name:
        folder = Path(name)
        written = [_write(folder, i, u.source, u.text, u.headers) for i, u in enumerate(units)]
        flags = [DEFINED, f"-I{RUNTIME}", *build.flags]
        for unit in units:
            flags.append(f"-I{unit.source.path.parent}")
            flags += [f"-iquote{Path(path).parent}" for path in unit.headers]  # what headers find beside them
        flags += ["-fopenacc"] if build.on("acc") else []
        if build.compile_only:
            if build.output and len(units) > 1:
                raise XaccError("-o names one object, and more than one file is compiled; leave it out.")
            commands = [["-c", str(path), "-o", build.output or f"{path.stem}.o"] for path in written]
        else:
            commands = [[*map(str, written), *build.objects, runtime(build, env), "-o", build.output or "a.out", "-lm"]]
        code = max(_compile([_mpicc(), *flags, *command], env, units, messages) for command in commands)
    messages.show(build.as_json)
    return code


def _compile(command: list[str], env: dict[str, str], units: list[Unit] | None = None, messages: Messages | None = None) -> int:
    """What the linker misses, and the units use, is a message of ours in place of the linker's."""
    done = _done(command, env)
    sys.stdout.write(done.stdout)
    text, names = done.stderr, dict.fromkeys(_UNDEFINED.findall(done.stderr))
    if units and messages and all([_missing(name, units, messages) for name in names]) and (linker := _LINKER.search(text)) and names:
        text = text[: linker.start()]
    sys.stderr.write(text)
    return int(done.returncode != 0)


def _missing(name: str, units: list[Unit], messages: Messages) -> bool:
    """An error where a name that no file defines is used; False where that is in none of the units."""
    uses = ((n.source, n.at, n.target) for unit in units for n in unit.tree.nodes if n.name == name and n.target is not None)
    first = next(uses, (units[0].source, 0, None) if name == "main" else None)
    if first is None:
        return False
    source, at, declared = first
    where = ""
    if declared is not None and declared != (str(source.path), at):
        where = f"declared in {shown(declared[0])}:{Source.read(Path(declared[0])).position(declared[1])[0]} and "
    messages.error(source, at, f"{name} is {where}defined in no file given; add the file, object or library that has it.")
    return True
