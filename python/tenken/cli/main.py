"""The first word of the command line, and the only place where trouble becomes a sentence."""

from __future__ import annotations

import importlib
import sys

from tenken import VERSION
from tenken.base.errors import TenkenError
from tenken.cli.options import USAGE, WORDS
from tenken.cli.terminal import guarded
from tenken.model.verdict import EXIT_NOTHING_JUDGED


@guarded()
def main(arguments: list[str]) -> int:
    """Execute the typed command; returns the exit code and never lets a traceback through."""
    arguments = [argument for argument in arguments if argument != "--yes"]  # the bootstrap's
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        print(USAGE, end="")
        return 0
    try:
        if arguments[0] == "--version":
            print(f"tenken {VERSION}")
            return 0
        if arguments[0] not in WORDS:
            from tenken.base.words import unknown

            raise unknown("word", arguments[0], WORDS)
        return importlib.import_module(f"tenken.cli.{arguments[0].replace('-', '_')}").main(_configured(arguments[1:]))
    except TenkenError as error:
        return _say(str(error))
    except KeyboardInterrupt:
        return _say("interrupted.")
    except OSError as error:
        trouble = f"cannot use {error.filename}" if error.filename else "cannot go on"
        return _say(f"{trouble}: {error.strerror or error}; free some space or choose another folder (--runs DIR).")
    except Exception as error:  # noqa: BLE001  # the last resort: a sentence, with the details in a file
        return _say(f"internal error: {type(error).__name__}: {error} (details in {_details()}).")


def _configured(arguments: list[str]) -> list[str]:
    """The arguments without `--config DIR`, which every word has."""
    from tenken.cli import places

    left: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name != "--config":
            left.append(word)
        elif folder := value if equals else next(words, ""):
            places.configure(folder)
        else:
            raise TenkenError("--config: name a folder with config.toml, machines/, suites/ or environments/.")
    return left


def _say(sentence: str) -> int:
    print(f"tenken: {sentence}", file=sys.stderr, flush=True)
    return EXIT_NOTHING_JUDGED


def _details() -> str:
    import tempfile
    import traceback
    try:
        with tempfile.NamedTemporaryFile("w", prefix="tenken-error-", suffix=".txt", delete=False) as file:
            traceback.print_exc(file=file)
        return file.name
    except OSError:
        return "no file: nowhere to write"
