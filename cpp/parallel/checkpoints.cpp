#include "parallel/checkpoints.hpp"

#include <algorithm>
#include <istream>
#include <ostream>
#include <string>

namespace tenken {

std::string Checkpoints::file(int place) const {
  std::string stage = key_.stage;
  std::replace(stage.begin(), stage.end(), ' ', '_');
  return path_ + "." + stage + "." + std::to_string(key_.rank) + (place == 0 ? ".a" : ".b");
}

void Checkpoints::save(std::int64_t step, const std::function<void(std::ostream&)>& write) {
  if (path_.empty()) return;
  save_checkpoint(file(next_), key_, [&](std::ostream& out) {
    put(out, &step, 1);
    write(out);
  });
  next_ ^= 1;
  MPI_Barrier(comm_);  // nobody writes over the other place before this one is complete on every rank
}

std::int64_t Checkpoints::step_in(int place) const {
  std::int64_t step = -1;
  load_checkpoint(file(place), key_, [&](std::istream& in) { return get(in, &step, 1); });
  std::int64_t ends[2]{step, -step};
  MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_INT64_T, MPI_MAX, comm_);
  return ends[0] == -ends[1] ? step : -1;
}

std::int64_t Checkpoints::load(const std::function<bool(std::istream&, std::int64_t)>& read) {
  if (path_.empty()) return -1;
  const std::int64_t steps[2]{step_in(0), step_in(1)};
  const int place = steps[1] > steps[0] ? 1 : 0;
  if (steps[place] < 0) return -1;
  load_checkpoint(file(place), key_, [&](std::istream& in) {
    std::int64_t step = 0;
    return get(in, &step, 1) && read(in, step);
  });
  next_ = place ^ 1;
  return steps[place];
}

}  // namespace tenken
