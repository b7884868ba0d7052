target_link_libraries(lqcd_pion_parts PUBLIC tenken_qcd)

# The program as a whole: the digits of a second program, planted faults found, refusals in one sentence.
tenken_program_test(lqcd_pion TIMEOUT 600 RANKS 1 2 4)
if(TEST lqcd_pion_program)  # with what it is made of
  set_property(TEST lqcd_pion_program APPEND PROPERTY REQUIRED_FILES ${PROJECT_SOURCE_DIR}/tests/nersc_file.py
    ${PROJECT_SOURCE_DIR}/tests/wilson_formulas.py)
endif()
