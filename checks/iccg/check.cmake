# The program as a whole: planted faults found, matrices from files, refusals in one sentence.
if(TENKEN_TESTS)
  tenken_test(iccg iccg_program ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_program.py $<TARGET_FILE:iccg>)
  tenken_long_test(iccg_long ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_program.py $<TARGET_FILE:iccg> --long)
  set_tests_properties(iccg_long PROPERTIES SKIP_RETURN_CODE 77)
  set_tests_properties(iccg_program iccg_long PROPERTIES TIMEOUT 600 PROCESSORS 2 ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_hwloc_base_binding_policy=none;OMP_WAIT_POLICY=passive;ASAN_OPTIONS=detect_leaks=0")
endif()
