"""xacc: serial C with XcalableMP and XcalableACC directives in, readable C with MPI (and OpenACC) out."""

VERSION = "0.1.0"
