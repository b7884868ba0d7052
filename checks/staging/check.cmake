target_link_libraries(staging_parts PUBLIC tenken_storage)

# The program as a whole: right copies of each kind, faults with their place, bad roots, kills; files of another node.
tenken_program_test(staging TWO_NODES TIMEOUT 300 RANKS 1 2 4)

# A small disk, which only root can plant; exit code 77 says that this machine does not permit it.
if(TEST staging_program)
  tenken_test(staging staging_as_root ${Python3_EXECUTABLE} ${TENKEN_CHECKS}/staging/check_as_root.py
    $<TARGET_FILE:staging> ${MPIEXEC_EXECUTABLE} 1 2)
  get_test_property(staging_program ENVIRONMENT environment)
  set_tests_properties(staging_as_root PROPERTIES TIMEOUT 300 PROCESSORS 2 SKIP_RETURN_CODE 77
    ENVIRONMENT "${environment}")
endif()
