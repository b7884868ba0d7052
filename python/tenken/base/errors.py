"""The only exception a user may meet: a sentence that names the input, the expected form and the remedy."""


class TenkenError(Exception):
    """Bad input or an environment that cannot work. The CLI prints the sentence and exits with 3."""


class RecordError(TenkenError):
    """A record or another stored file that cannot be believed; the sentence names file and line."""
