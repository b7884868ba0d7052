target_link_libraries(io_throughput_parts PUBLIC tenken_storage)

# The program as a whole: right data in every layout, the state of the cache, faults with their place, bad roots, kills.
tenken_program_test(io_throughput TIMEOUT 400 RANKS 1 2 4)
