# The program as a whole: answers on many ranks, attainable accuracy, planted faults, refusals.
tenken_program_test(cg_family TIMEOUT 600)
