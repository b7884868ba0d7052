target_link_libraries(io_throughput_parts PUBLIC tenken_storage)

# The program as a whole: right data in every layout, the state of the cache, faults with their place, bad roots, kills.
tenken_program_test(io_throughput TIMEOUT 400 RANKS 1 2 4)

# Small disks and a memory limit, which only root can plant; exit code 77 says that this machine does not permit it.
if(TEST io_throughput_program)
  tenken_test(io_throughput io_throughput_as_root ${Python3_EXECUTABLE} ${TENKEN_CHECKS}/io_throughput/check_as_root.py
    $<TARGET_FILE:io_throughput> ${MPIEXEC_EXECUTABLE} 1 2)
  get_test_property(io_throughput_program ENVIRONMENT environment)
  set_tests_properties(io_throughput_as_root PROPERTIES TIMEOUT 400 PROCESSORS 2 SKIP_RETURN_CODE 77
    ENVIRONMENT "${environment}")
endif()
