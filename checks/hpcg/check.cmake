target_link_libraries(hpcg_parts PUBLIC tenken_gpu)

# The program as a whole: residuals of a second program, the same answers on many ranks, planted faults, refusals.
tenken_program_test(hpcg TIMEOUT 600)
