#include "report.hpp"

#include <set>

#include "this_check.hpp"

namespace same_answer {

std::vector<Core> gathered(const tenken::Check& check, const std::vector<Core>& mine) {
  const int bytes = static_cast<int>(mine.size() * sizeof(Core));
  std::vector<int> sizes(static_cast<std::size_t>(check.ranks())), starts(sizes.size() + 1);
  MPI_Allgather(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, check.comm());
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) starts[rank + 1] = starts[rank] + sizes[rank];
  std::vector<Core> all(static_cast<std::size_t>(starts.back()) / sizeof(Core));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), sizes.data(), starts.data(), MPI_BYTE, check.comm());
  return all;
}

void report(tenken::Check& check, const std::vector<Core>& all, const std::string& unit, std::size_t wrong_kernels) {
  std::set<std::size_t> wrong;
  for (const Odd& odd : odd_ones(all)) {
    const Core& core = all[odd.core];
    wrong.insert(odd.core);
    const std::string place =
        std::to_string(core.rank) + "/" + std::to_string(core.cpu) + "/" + std::string(kernel_names[odd.kernel]);
    check.value("odd_" + unit + "/" + place, "1", static_cast<double>(core.unsteady[odd.kernel]));
    if (core.wrong_bits[odd.kernel] > 0)
      check.value("wrong_bits/" + place, "1", static_cast<double>(core.wrong_bits[odd.kernel]));
  }
  check.value(unit + "s_compared", "1", static_cast<double>(all.size()));
  check.prove(this_check::validity::same_answer, static_cast<double>(wrong.size() + wrong_kernels));
}

}  // namespace same_answer
