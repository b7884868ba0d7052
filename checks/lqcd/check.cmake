target_link_libraries(lqcd_parts PUBLIC tenken_qcd tenken_gpu)

# The program as a whole: the same answers on many ranks, planted faults found, configurations, refusals in one sentence.
tenken_program_test(lqcd TIMEOUT 900 RANKS 1 2 4 8 16)
if(TEST lqcd_program)  # with what it is made of
  set_property(TEST lqcd_program APPEND PROPERTY REQUIRED_FILES ${PROJECT_SOURCE_DIR}/tests/nersc_file.py
    ${PROJECT_SOURCE_DIR}/tests/wilson_formulas.py)
endif()
