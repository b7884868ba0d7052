# The program as a whole: iterations of a second program, the same answers on many ranks, planted faults, refusals.
tenken_program_test(elasticity LONG TIMEOUT 7200)
