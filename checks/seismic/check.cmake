# The program as a whole: proofs on any ranks and threads, planted faults, refusals.
tenken_program_test(seismic LONG TIMEOUT 7200)
# What takes minutes without a program: test cases that are skipped elsewhere.
if(TENKEN_TESTS)
  foreach(test layers_test full_space_mpi_test)
    tenken_long_test(seismic_${test}_long $<TARGET_FILE:seismic_${test}> --no-skip --test-case=long:*)
    set_tests_properties(seismic_${test}_long PROPERTIES TIMEOUT 7200)
  endforeach()
endif()
