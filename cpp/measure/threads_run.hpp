// Whether as many threads run as were asked for: an OpenMP library gives fewer without a word.
#pragma once

#include <string>

namespace tenken {

// Threads of a parallel region that asks for `asked`.
int threads_that_run(int asked);

// One sentence that names the variables which hold threads back; `variable` gives the value of one, null where unset.
std::string too_few_threads(int run, int asked, const char* (*variable)(const char* name));

// Refuses where fewer than `asked` run.
void require_threads(int asked);

}  // namespace tenken
