target_link_libraries(lqcd_dd_parts PUBLIC tenken_qcd)

# The program as a whole: solvers against each other, any number of ranks, planted faults, refusals.
tenken_program_test(lqcd_dd TIMEOUT 600 RANKS 1 2 4 8 16)
if(TEST lqcd_dd_program)  # with what it is made of
  set_property(TEST lqcd_dd_program APPEND PROPERTY REQUIRED_FILES ${PROJECT_SOURCE_DIR}/tests/nersc_file.py
    ${PROJECT_SOURCE_DIR}/tests/wilson_formulas.py)
endif()
