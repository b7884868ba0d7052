# The program as a whole: proofs on any ranks, regions and threads, planted faults, refusals.
tenken_program_test(atmosphere LONG TIMEOUT 7200 RANKS 1 2 3 4 8)
