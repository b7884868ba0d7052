target_link_libraries(dgemm_parts PUBLIC tenken_gpu)

# The program of variant `cuda` where no card is: its kernels as loops on the host. check_program.py starts it.
tenken_program_test(dgemm TIMEOUT 120 RANKS 1 2)
if(TENKEN_TESTS)
  add_executable(dgemm_cuda_on_host ${CMAKE_CURRENT_LIST_DIR}/on_host_main.cpp)
  target_link_libraries(dgemm_cuda_on_host PRIVATE dgemm_parts dgemm_on_host)
  set_target_properties(dgemm_cuda_on_host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/dgemm)
  add_dependencies(dgemm dgemm_cuda_on_host)  # built wherever the program is tested
endif()
