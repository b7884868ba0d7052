from __future__ import annotations

import io

import pytest

from tenken.cli.terminal import Guarded


@pytest.mark.parametrize(("encoding", "text", "expected"), [
    ("utf-8", "85 us\x1b", "85 µs\\x1b"), ("ascii", "85 us", "85 us"), ("utf-8", '{\n "what": "85 us"}', '{\n "what": "85 us"}'),
])
def test_microseconds_are_shown_where_the_terminal_has_the_letter(encoding: str, text: str, expected: str) -> None:
    below = io.BytesIO()
    stream = io.TextIOWrapper(below, encoding=encoding)
    Guarded(stream).write(text)
    stream.flush()
    assert below.getvalue().decode(encoding) == expected
