target_link_libraries(fma_peak_parts PUBLIC tenken_gpu)

# The program of variant `cuda` where no card is: its kernels as loops on the host. check_program.py starts it.
tenken_program_test(fma_peak TIMEOUT 120 RANKS 1 2)
if(TENKEN_TESTS)
  add_executable(fma_peak_cuda_on_host ${CMAKE_CURRENT_LIST_DIR}/on_host_main.cpp)
  target_link_libraries(fma_peak_cuda_on_host PRIVATE fma_peak_parts fma_peak_on_host)
  set_target_properties(fma_peak_cuda_on_host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/fma_peak)
  add_dependencies(fma_peak fma_peak_cuda_on_host)  # built wherever the program is tested
endif()

# Compilers spoil loops of a peak: the loop that nvcc makes is read.
if(TENKEN_TESTS AND tenken_cuda_found)
  tenken_test(fma_peak fma_peak_loop ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_loop.py ${CMAKE_CUDA_COMPILER}
    ${PROJECT_SOURCE_DIR})
endif()
