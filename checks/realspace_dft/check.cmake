# Kohn-Sham theory of the library.
target_link_libraries(realspace_dft_parts PUBLIC tenken_dft)

# The program as a whole: one energy on any ranks and groups of these, planted faults found, refusals.
tenken_program_test(realspace_dft TIMEOUT 600 RANKS 1 2 4 8)
