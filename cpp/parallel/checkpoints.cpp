#include "parallel/checkpoints.hpp"

#include <algorithm>
#include <cstdio>
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

Checkpoints::Found Checkpoints::found_in(int place) const {
  Found found;
  try {
    load_checkpoint(file(place), key_, [&](std::istream& in) { return get(in, &found.step, 1); });
  } catch (const DamagedCheckpoint& error) {
    found = {-1, error.what()};
  }
  std::int64_t ends[3]{found.step, -found.step, found.damaged.empty() ? 0 : 1};
  MPI_Allreduce(MPI_IN_PLACE, ends, 3, MPI_INT64_T, MPI_MAX, comm_);
  if (ends[0] != -ends[1]) found.step = -1;
  if (ends[2] > 0 && found.damaged.empty()) {
    found.damaged = "the checkpoint of another rank beside '" + file(place) + "' is damaged; remove all and start anew";
  }
  return found;
}

std::int64_t Checkpoints::load(const std::function<bool(std::istream&, std::int64_t)>& read) {
  if (path_.empty()) return -1;
  const Found places[2]{found_in(0), found_in(1)};
  const int place = places[1].step > places[0].step ? 1 : 0;
  const std::string& damaged = places[0].damaged.empty() ? places[1].damaged : places[0].damaged;
  if (places[place].step < 0) {
    if (!damaged.empty()) throw DamagedCheckpoint(damaged);
    return -1;
  }
  if (!damaged.empty() && key_.rank == 0) {
    std::fprintf(stderr, "a checkpoint '%s.*' is damaged: going on from the other place, step %lld\n", path_.c_str(),
                 static_cast<long long>(places[place].step));
  }
  load_checkpoint(file(place), key_, [&](std::istream& in) {
    std::int64_t step = 0;
    return get(in, &step, 1) && read(in, step);
  });
  next_ = place ^ 1;
  return places[place].step;
}

}  // namespace tenken
