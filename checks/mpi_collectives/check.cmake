# The program as a whole: right answers on many ranks, planted faults found, refusals in one sentence, nothing hangs.
tenken_program_test(mpi_collectives TWO_NODES TIMEOUT 400 RANKS 1 2 3 16 FEW 1 2 3 4)
