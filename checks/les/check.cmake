# The program as a whole: proofs on any ranks and threads, planted faults, refusals.
tenken_program_test(les LONG TIMEOUT 7200 RANKS 1 2 4 8)
