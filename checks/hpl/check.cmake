target_link_libraries(hpl_parts PUBLIC tenken_gpu)

# The program as a whole: the same solution on every grid, planted faults, memory, refusals.
tenken_program_test(hpl TIMEOUT 300 RANKS 1 2 4 6)
