target_link_libraries(metadata_parts PUBLIC tenken_storage)

# The program as a whole: right counts, faults with their place, bad roots, a kill; files of another node.
tenken_program_test(metadata TWO_NODES TIMEOUT 300 RANKS 1 2 4)

# A disk with few inodes, which only root can plant; exit code 77 says that this machine does not permit it.
if(TEST metadata_program)
  tenken_test(metadata metadata_as_root ${Python3_EXECUTABLE} ${TENKEN_CHECKS}/metadata/check_as_root.py
    $<TARGET_FILE:metadata> ${MPIEXEC_EXECUTABLE} 1 2)
  get_test_property(metadata_program ENVIRONMENT environment)
  set_tests_properties(metadata_as_root PROPERTIES TIMEOUT 300 PROCESSORS 2 SKIP_RETURN_CODE 77
    ENVIRONMENT "${environment}")
endif()
