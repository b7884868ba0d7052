#include "checkpoint.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "measure/section.hpp"
#include "this_check.hpp"

namespace staging {

using namespace tenken;
namespace section = this_check::section;

namespace {

std::string name_of_state(int rank) { return "state." + std::to_string(rank); }
std::string name_before(int rank) { return name_of_state(rank) + ".new"; }

}  // namespace

Checkpoint::Checkpoint(const Launch& launch)
    : Passes(launch, launch.settings.bytes / launch.settings.transfer + 1),
      state_(static_cast<std::size_t>(settings_.bytes / 8), Pages::any, "the state of a rank") {}

double Checkpoint::bytes_of_all() const { return static_cast<double>(settings_.bytes) * launch_.check.ranks(); }

Passes::Range Checkpoint::state_of(int rank) const {
  return {launch_.local.descriptor(),
          name_of_state(rank),
          rank,
          static_cast<int>(pass_ % storage::Origin::files),
          0,
          settings_.bytes};
}

void Checkpoint::prepare() {
  // A rename without effect leaves the file.
  launch_.system.remove(launch_.local.descriptor(), name_before(rank()).c_str(), 0);
  content_.fill({state_.data(), state_.size()}, rank(), state_of(rank()).number, 0);
}

void Checkpoint::stage() {
  const int folder = launch_.local.descriptor();
  const std::string path = name_before(rank());
  int file = -1;
  {
    const Section s{section::make};
    file = files_.make(folder, path);
  }
  const auto* state = reinterpret_cast<const std::byte*>(state_.data());
  for (std::int64_t at = 0; at < settings_.bytes; at += settings_.transfer) {
    const std::int64_t bytes = std::min(settings_.transfer, settings_.bytes - at), before = ticks_now();
    {
      const Section s{section::write, {.bytes_written = bytes}};
      files_.write(file, path, state + at, bytes, at);
      moved_.written += bytes;
    }
    late(writes_, before, at);
    advanced();
  }
  if (settings_.sync) {
    const Section s{section::sync};
    files_.sync(file, path);
  }
  {
    const Section s{section::make};
    files_.close(file, path);
  }
  {
    const Section s{section::rename};
    files_.rename(folder, path, name_of_state(rank()));
  }
  if (!settings_.sync) return;
  const Section s{section::sync_folder};
  files_.sync_folder(folder, ".");
}

void Checkpoint::plant() { plant_in(state_of(rank())); }

void Checkpoint::verify() {
  compare(state_of(next_));
  struct stat of {};
  if (launch_.system.status_at(launch_.local.descriptor(), name_before(next_).c_str(), of) != 0) return;
  note({.kind = static_cast<std::int64_t>(WrongFileKind::left), .owner = next_, .number = state_of(next_).number});
}

}  // namespace staging
