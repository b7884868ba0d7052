target_link_libraries(same_answer_parts PUBLIC tenken_gpu)

# The program of variant `cuda` where no card is: its kernels as loops on the host. check_program.py starts it.
tenken_program_test(same_answer TIMEOUT 120 RANKS 1 2)
if(TENKEN_TESTS)
  add_executable(same_answer_cuda_on_host ${CMAKE_CURRENT_LIST_DIR}/on_host_main.cpp)
  target_link_libraries(same_answer_cuda_on_host PRIVATE same_answer_parts same_answer_on_host)
  set_target_properties(same_answer_cuda_on_host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/same_answer)
  add_dependencies(same_answer same_answer_cuda_on_host)  # built wherever the program is tested
endif()
