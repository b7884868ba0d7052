# Loops over levels and cells become vectors where the compiler can; Clang calls it an error where it cannot.
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(atmosphere_parts PUBLIC -Wno-pass-failed)
endif()

# The program as a whole: proofs on any ranks, regions and threads, planted faults, refusals.
tenken_program_test(atmosphere LONG TIMEOUT 7200 RANKS 1 2 3 4 8)
