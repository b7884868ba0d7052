#include "stage_out.hpp"

#include <algorithm>

#include "measure/section.hpp"
#include "parallel/shared_file.hpp"
#include "this_check.hpp"

namespace staging {

using namespace tenken;
namespace section = this_check::section;

StageOut::StageOut(const Launch& launch) : Passes(launch, launch.settings.bytes / launch.settings.transfer + 1) {}

double StageOut::bytes_of_all() const { return static_cast<double>(settings_.bytes) * launch_.check.ranks(); }

Passes::Range StageOut::result_of(int rank) const {
  return {launch_.local.descriptor(),
          "result." + std::to_string(rank),
          rank,
          static_cast<int>(pass_ % storage::Origin::files),
          0,
          settings_.bytes};
}

Passes::Range StageOut::target_of(int rank) const {
  Range target = result_of(rank);
  target.folder = launch_.global.descriptor();
  target.path = settings_.one_file ? "out" : "out." + std::to_string(rank);
  if (settings_.one_file) {
    target.at = rank * settings_.bytes;
    target.length = settings_.bytes * launch_.check.ranks();
  }
  return target;
}

void StageOut::prepare() {
  MPI_Comm comm = launch_.check.comm();
  const Range mine = result_of(rank());
  fill_file(mine, true);
  together(comm, [&] {
    files_.require();
    prepare_file(mine);
  });
  finish_preparing();
}

void StageOut::stage() {
  const Range from = result_of(rank()), to = target_of(rank());
  int result = -1, target = -1;
  {
    const Section s{section::open};
    result = files_.open_to_read(from.folder, from.path);
  }
  {
    const Section s{section::make};
    target = files_.open_to_write(to.folder, to.path);
  }
  for (std::int64_t at = 0; at < settings_.bytes; at += settings_.transfer) {
    const std::int64_t bytes = std::min(settings_.transfer, settings_.bytes - at), begin = ticks_now();
    {
      const Section s{section::read, {.bytes_read = bytes}};
      moved_.read += files_.read(result, from.path, buffer(), bytes, at);
    }
    late(reads_, begin, at);
    const std::int64_t between = ticks_now();
    {
      const Section s{section::write, {.bytes_written = bytes}};
      files_.write(target, to.path, buffer(), bytes, to.at + at);
      moved_.written += bytes;
    }
    late(writes_, between, to.at + at);
    advanced();
  }
  if (settings_.sync) {
    const Section s{section::sync};
    files_.sync(target, to.path);
  }
  {
    const Section s{section::make};
    files_.close(target, to.path);
  }
  const Section s{section::open};
  files_.close(result, from.path);
}

void StageOut::plant() { plant_in(target_of(rank())); }

void StageOut::verify() { compare(target_of(next_)); }

void StageOut::clean() {
  MPI_Barrier(launch_.check.comm());  // the next rank has compared the file
  launch_.system.remove(launch_.local.descriptor(), result_of(rank()).path.c_str(), 0);
  if (!settings_.one_file || rank() == 0) {
    launch_.system.remove(launch_.global.descriptor(), target_of(rank()).path.c_str(), 0);
  }
}

}  // namespace staging
