# The program as a whole: right shares in every mode, pattern, number of ranks and threads, faults with their place.
tenken_program_test(mixed_mode TIMEOUT 300 RANKS 1 2 3 4 FEW 1 2)
