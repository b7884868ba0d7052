target_link_libraries(lqcd_operator_parts PUBLIC tenken_qcd)

# The program as a whole: proofs hold, planted faults found, refusals in one sentence.
tenken_program_test(lqcd_operator TIMEOUT 300 RANKS 1 2 4)
