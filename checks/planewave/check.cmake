# Kohn-Sham theory of the library.
target_link_libraries(planewave_parts PUBLIC tenken_dft)

# The program as a whole: one energy on any ranks and grids of these, planted faults found, refusals.
tenken_program_test(planewave TIMEOUT 600 RANKS 1 2 4 8 LONG)
