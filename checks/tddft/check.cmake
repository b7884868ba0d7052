# The ground state and all that does not move is shared physics.
target_link_libraries(tddft_parts PUBLIC tenken_dft)

# The program as a whole: one current on any ranks and threads and after a kill, planted faults found, refusals.
tenken_program_test(tddft TIMEOUT 600 RANKS 1 2 4 LONG)
if(TEST tddft_long)
  set_tests_properties(tddft_long PROPERTIES TIMEOUT 14400)  # electrons of 64 k-points for 12 fs
endif()
