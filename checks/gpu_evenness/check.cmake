target_link_libraries(gpu_evenness_parts PUBLIC tenken_gpu)

# The program with several made-up cards, which are loops on the host.
tenken_program_test(gpu_evenness TIMEOUT 120 RANKS 1 2)
if(TENKEN_TESTS)
  add_executable(gpu_evenness_cuda_on_host ${CMAKE_CURRENT_LIST_DIR}/on_host_main.cpp)
  target_link_libraries(gpu_evenness_cuda_on_host PRIVATE gpu_evenness_parts gpu_evenness_on_host)
  set_target_properties(gpu_evenness_cuda_on_host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/gpu_evenness)
  add_dependencies(gpu_evenness gpu_evenness_cuda_on_host)  # built wherever the program is tested
endif()
