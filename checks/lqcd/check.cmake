target_link_libraries(lqcd_parts PUBLIC tenken_qcd tenken_gpu)

# The program as a whole: the same answers on many ranks, planted faults found, configurations, refusals in one sentence.
tenken_program_test(lqcd TIMEOUT 900 RANKS 1 2 4 8 16)
if(TEST lqcd_program)  # with what it is made of
  set_property(TEST lqcd_program APPEND PROPERTY REQUIRED_FILES ${PROJECT_SOURCE_DIR}/tests/nersc_file.py
    ${PROJECT_SOURCE_DIR}/tests/wilson_formulas.py)
endif()

# The program of variant `cuda` where no device is: its kernels as loops on the host. check_program.py starts it, too.
if(TENKEN_TESTS)
  add_executable(lqcd_cuda_on_host ${CMAKE_CURRENT_LIST_DIR}/on_host_main.cpp)
  target_link_libraries(lqcd_cuda_on_host PRIVATE lqcd_parts lqcd_on_host)
  set_target_properties(lqcd_cuda_on_host PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/checks/lqcd)
  add_dependencies(lqcd lqcd_cuda_on_host)  # built wherever the program is tested
endif()
