"""What every package may use: no vocabulary of checks, no files."""
