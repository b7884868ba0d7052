#include "eager.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "cores_shared.hpp"
#include "late.hpp"
#include "pairs.hpp"

namespace mpi_pt2pt {

void find_eager_limit(tenken::Check& check, int partner) {
  if (cores_shared(check)) return;
  const std::vector<std::int64_t> sizes = check.parameters().integers("sizes");
  if (check.rank() == 0 || partner == 0) {
    const std::int64_t largest = *std::max_element(sizes.begin(), sizes.end());
    LateReceiver late(check.comm(), partner, largest);
    tenken::Table curve{"send_to_late_receiver", "us", tenken::Better::lower, {}, {"send"}, {}};
    for (const std::int64_t size : sizes) {
      curve.rows.push_back(std::to_string(size));
      curve.values.emplace_back(late.send_us(size));
    }
    const std::int64_t limit = late.eager_limit();
    check.value(limit < 0 ? "eager_at_least" : "eager_limit", "B", static_cast<double>(limit < 0 ? largest : limit));
    check.value("late_by", "us", late.delay_us());
    check.table(curve);
  }
  MPI_Barrier(check.comm());
}

}  // namespace mpi_pt2pt
