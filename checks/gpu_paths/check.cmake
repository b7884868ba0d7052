target_link_libraries(gpu_paths_parts PUBLIC tenken_gpu)

# With several made-up cards, whose memory is memory of the host (on_host_main.cpp).
tenken_program_test(gpu_paths TIMEOUT 120 RANKS 1 2)
