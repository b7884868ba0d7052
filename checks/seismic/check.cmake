# The program as a whole: proofs on any ranks and threads, planted faults, refusals.
tenken_program_test(seismic LONG TIMEOUT 7200)
