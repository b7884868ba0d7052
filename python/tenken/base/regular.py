"""Files of users: only regular ones are read, of bounded size; nothing is written through a link; and where they are."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path

MIB = 1 << 20
MOST_BYTES = 256 * MIB  # of a file unless a reader says otherwise


def read_regular(path: Path, most: int = MOST_BYTES) -> bytes:
    """All of a regular file of at most `most` bytes; OSError for anything else, without waiting for a writer of a FIFO."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        if facts.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most // MIB} MiB", str(path))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(most)  # a file that grows meanwhile is cut
    finally:
        os.close(descriptor)


def read_regular_text(path: Path, most: int = MOST_BYTES) -> str:
    """The same as UTF-8 text; UnicodeDecodeError, a ValueError, where it is none."""
    return read_regular(path, most).decode("utf-8")


def no_link(path: str, flags: int) -> int:
    """An opener for `open`: no link is followed, nothing but a regular file is opened."""
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "not a regular file", path)


def replace_file(path: Path, content: bytes) -> None:
    """All of `content` in `path` or nothing: a temporary file that nobody else can have made, fsync, rename. OSError else."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with open(temporary, "xb", opener=no_link) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


# Where a user's own files of Tenken are.

def of_user(variable: str, default: str) -> Path | None:
    """`tenken` in the folder that the variable of XDG names, else in `default` of the home; None for a user without a home."""
    if chosen := os.environ.get(variable):
        return Path(chosen) / "tenken"
    try:
        return Path.home() / default / "tenken"
    except RuntimeError:  # HOME is unset, and the system does not list the user
        return None
