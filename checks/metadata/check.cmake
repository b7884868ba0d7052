target_link_libraries(metadata_parts PUBLIC tenken_storage)

# The program as a whole: right counts, faults with their place, bad roots, a kill.
tenken_program_test(metadata TIMEOUT 300 RANKS 1 2 4)
