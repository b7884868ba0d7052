# The program as a whole: proofs on any ranks and threads, planted faults, refusals.
tenken_program_test(les TIMEOUT 600 RANKS 1 2 4 8)
