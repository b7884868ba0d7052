# The program as a whole: right halos of every route, plane and number of ranks; faults with their place; two nodes.
tenken_program_test(halo_paths TWO_NODES TIMEOUT 300 RANKS 1 2 3 4 6 16 FEW 1 2)
