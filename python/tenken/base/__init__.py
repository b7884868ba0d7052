"""Parts for every package: no vocabulary of checks, no files."""
