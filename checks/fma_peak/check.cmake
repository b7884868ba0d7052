target_link_libraries(fma_peak_parts PUBLIC tenken_gpu)

# Of the variant `cuda`, too, with its kernels as loops on the host (on_host_main.cpp).
tenken_program_test(fma_peak TIMEOUT 120 RANKS 1 2)

# Compilers spoil loops of a peak: the loop that nvcc makes is read.
if(TENKEN_TESTS AND tenken_cuda_found)
  tenken_test(fma_peak fma_peak_loop ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_loop.py ${CMAKE_CUDA_COMPILER}
    ${PROJECT_SOURCE_DIR})
endif()
