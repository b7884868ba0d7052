target_link_libraries(gpu_paths_parts PUBLIC tenken_gpu)

# The program with several made-up cards, whose memory is memory of the host.
tenken_program_test(gpu_paths TIMEOUT 120 RANKS 1 2)
if(TENKEN_TESTS)
  add_executable(gpu_paths_cuda_on_host ${CMAKE_CURRENT_LIST_DIR}/on_host_main.cpp)
  target_link_libraries(gpu_paths_cuda_on_host PRIVATE gpu_paths_parts gpu_paths_on_host)
  set_target_properties(gpu_paths_cuda_on_host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/gpu_paths)
  add_dependencies(gpu_paths gpu_paths_cuda_on_host)  # built wherever the program is tested
endif()
