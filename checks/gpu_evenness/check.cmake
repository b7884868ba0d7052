target_link_libraries(gpu_evenness_parts PUBLIC tenken_gpu)

# With several made-up cards, which are loops on the host (on_host_main.cpp).
tenken_program_test(gpu_evenness TIMEOUT 120 RANKS 1 2)
