#include "fan.hpp"

#include <algorithm>

#include "cores_shared.hpp"
#include "parallel/batch.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace mpi_pt2pt {

namespace {
constexpr int tag = 2;
}

Fan::Fan(tenken::Check& check, Way way) : check_(check), size_(check.parameters().integer("partner_bytes")) {
  int most = 0;
  int index = 0;
  for (const std::int64_t partners : check.parameters().integers("partners")) {
    if (partners < check.ranks()) {
      steps_.push_back({index, static_cast<int>(partners)});
      most = std::max(most, static_cast<int>(partners));
    }
    ++index;
  }
  check.require_memory(2.0 * static_cast<double>(size_) * most, "mpi_pt2pt with messages of so many partner_bytes");
  const auto size = static_cast<std::size_t>(size_);
  if (check.rank() == 0) {
    for (int partner = 1; partner <= most; ++partner) lanes_.emplace_back(check.comm(), partner, size, way, tag);
  } else if (check.rank() <= most) {
    lanes_.emplace_back(check.comm(), 0, size, way, tag);
  }
  if (cores_shared(check)) return;  // one call of each
  for (Step& step : steps_) {
    step.calls = tenken::batch_of(check.comm(), [&](int calls) {
      prepare(step, calls);
      run(step, calls);
    });
  }
}

std::size_t Fan::lanes_with(int partners) const {
  if (check_.rank() > partners) return 0;
  return check_.rank() == 0 ? static_cast<std::size_t>(partners) : 1;
}

void Fan::prepare(const Step& step, int calls) {
  ++sample_;
  for (std::size_t i = 0; i < lanes_with(step.partners); ++i) {
    lanes_[i].room(calls);
    lanes_[i].write(sample_, calls);
  }
}

void Fan::run(const Step& step, int calls) {
  const std::size_t lanes = lanes_with(step.partners);
  for (int call = 0; call < calls; ++call) {
    for (std::size_t i = 0; i < lanes; ++i) lanes_[i].begin_swap(call);
    for (std::size_t i = 0; i < lanes; ++i) lanes_[i].end_swap(call);
  }
}

void Fan::pass() {
  for (const Step& step : steps_) {
    prepare(step, step.calls);
    MPI_Barrier(check_.comm());
    const std::size_t lanes = lanes_with(step.partners);
    if (lanes == 0) continue;
    for (std::size_t i = 0; i < lanes; ++i) lanes_[i].meet();
    {
      const tenken::Work work = sent_work(size_, step.calls * static_cast<std::int64_t>(lanes));
      tenken::Section s{this_check::section::partners, step.index, work, step.calls};
      run(step, step.calls);
    }
    for (std::size_t i = 0; i < lanes; ++i) wrong_ += lanes_[i].wrong(sample_, step.calls);
  }
}

}  // namespace mpi_pt2pt
