target_link_libraries(dgemm_parts PUBLIC tenken_gpu)

# Of the variant `cuda`, too, with its kernels as loops on the host (on_host_main.cpp).
tenken_program_test(dgemm TIMEOUT 120 RANKS 1 2)
