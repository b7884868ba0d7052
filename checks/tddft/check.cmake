# The ground state and all that does not move is shared physics.
target_link_libraries(tddft_parts PUBLIC tenken_dft)
