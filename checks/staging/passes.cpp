#include "passes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "checkpoint.hpp"
#include "measure/clock.hpp"
#include "parallel/shared_file.hpp"
#include "plant.hpp"
#include "stage_in.hpp"
#include "stage_out.hpp"
#include "storage/cache_state.hpp"

namespace staging {

using namespace tenken;

Passes::Passes(const Launch& launch, std::int64_t calls)
    : launch_(launch),
      settings_(launch.settings),
      clock_(launch.check.comm()),
      files_(launch.system, launch.who()),
      content_(launch.global.number(), launch.check.ranks()),
      next_(launch.local.next_rank()),
      writes_(calls),
      reads_(calls),
      words_(static_cast<std::size_t>(settings_.transfer / 8), Pages::any, "a transfer") {}

void Passes::pass(bool timed) {
  MPI_Comm comm = launch_.check.comm();
  ++pass_;
  launch_.global.renew();
  launch_.local.renew();
  prepare();
  together(comm, [&] { files_.require(); });
  clock_.synchronise();
  MPI_Barrier(comm);
  const storage::Counting counting;
  const double begin = clock_.now();
  stage();
  const double end = clock_.now();
  const auto counts = counting.end();
  together(comm, [&] { files_.require(); });
  const double ns = clock_.whole(begin, end);
  moved_.known = moved_.known && counts;
  if (counts) moved_.counted += *counts;
  if (device_bytes() > 0 && launch_.check.max_over_ranks(counts ? 0 : 1) == 0) {
    const double share = launch_.check.sum_over_ranks(static_cast<double>(counts->from_device)) / device_bytes();
    from_device_ = std::min(from_device_.value_or(share), share);
  }
  together(comm, [&] {
    if (last()) plant();
  });
  verify();
  together(comm, [&] { files_.require(); });
  clean();
  MPI_Barrier(comm);
  writes_.end_pass(timed);
  reads_.end_pass(timed);
  if (timed) ns_.push_back(ns);
}

void Passes::late(storage::CallTimes& times, std::int64_t before, std::int64_t at) const {
  times.add(static_cast<double>(ticks_now() - before) * clock_.ns_per_tick(), at);
}

void Passes::note(WrongFiles wrong) {
  if (wrong_.files++ > 0) return;
  wrong.files = 1;
  wrong_ = wrong;
}

void Passes::compare(const Range& range) {
  WrongFiles wrong{.owner = range.owner, .number = range.number};
  wrong.expected_bytes = range.length.value_or(range.at + range.bytes);
  struct stat of {};
  if (launch_.system.status_at(range.folder, range.path.c_str(), of) != 0 && errno == ENOENT) {
    wrong.kind = static_cast<std::int64_t>(WrongFileKind::missing);
    return note(wrong);
  }
  wrong.bytes = of.st_size;
  if (wrong.bytes != wrong.expected_bytes) {
    wrong.kind = static_cast<std::int64_t>(storage::WrongKind::short_file);
    return note(wrong);
  }
  const int file = files_.open_to_read(range.folder, range.path);
  std::optional<WrongContent> found;
  for (std::int64_t done = 0; done < range.bytes && !found && !files_.failed(); done += settings_.transfer) {
    const std::int64_t bytes = std::min(settings_.transfer, range.bytes - done);
    const std::span<std::uint64_t> words{words_.data(), static_cast<std::size_t>(words_for(bytes))};
    storage::Pattern::fill_unread(words);
    files_.read(file, range.path, buffer(), bytes, range.at + done);
    found = content_.wrong(words, bytes, range.owner, range.number, done);
    advanced();
  }
  files_.close(file, range.path);
  if (!found || files_.failed()) return;
  wrong.kind = static_cast<std::int64_t>(found->kind);
  wrong.at = range.at + found->at;
  wrong.found_launch = found->found.launch;
  wrong.found_rank = found->found.rank;
  wrong.found_number = found->found.file;
  note(wrong);
}

void Passes::fill_file(const Range& range, bool sync) {
  const int file = files_.make(range.folder, range.path);
  for (std::int64_t done = 0; done < range.bytes; done += settings_.transfer) {
    const std::int64_t bytes = std::min(settings_.transfer, range.bytes - done);
    content_.fill({words_.data(), static_cast<std::size_t>(words_for(bytes))}, range.owner, range.number, done);
    files_.write(file, range.path, buffer(), bytes, range.at + done);
    advanced();
  }
  if (sync) files_.sync(file, range.path);
  files_.close(file, range.path);
}

void Passes::prepare_file(const Range& range) {
  const int file = files_.open_to_read(range.folder, range.path);
  if (file < 0 || range.bytes == 0) return files_.close(file, range.path);
  if (settings_.cache == storage::CacheState::dropped) {
    const auto share = storage::drop(launch_.system, file, range.bytes, launch_.who() + ", file " + range.path);
    resident_known_ = resident_known_ && share;
    prepared_bytes_ += static_cast<double>(range.bytes);
    resident_bytes_ += share.value_or(0) * static_cast<double>(range.bytes);
  } else {
    for (std::int64_t done = 0; done < range.bytes; done += settings_.transfer) {
      files_.read(file, range.path, buffer(), std::min(settings_.transfer, range.bytes - done), range.at + done);
    }
  }
  files_.close(file, range.path);
  advanced();
}

void Passes::finish_preparing() {
  const Check& check = launch_.check;
  const double bytes = check.sum_over_ranks(prepared_bytes_), resident = check.sum_over_ranks(resident_bytes_);
  const bool known = check.max_over_ranks(resident_known_ ? 0 : 1) == 0;
  if (known && bytes > 0) resident_ = std::max(resident_.value_or(0), resident / bytes);
  if (!known) resident_.reset();
  prepared_bytes_ = resident_bytes_ = 0;
}

void Passes::plant_in(const Range& range) const {
  const std::string fault(launch_.check.parameters().text("fault"));
  plant_in_file(fault, {range.folder, range.path, range.owner, range.number, range.at, range.bytes}, content_);
}

std::unique_ptr<Passes> passes_of(const Launch& launch) {
  switch (launch.settings.variant) {
    case Variant::stage_in:
      return std::make_unique<StageIn>(launch);
    case Variant::checkpoint:
      return std::make_unique<Checkpoint>(launch);
    default:
      return std::make_unique<StageOut>(launch);
  }
}

Sizes sizes_of(const Settings& settings, int rank) {
  if (settings.variant == Variant::checkpoint) return {{}, {settings.bytes, settings.bytes}};  // old and new
  if (settings.variant == Variant::stage_out) return {{settings.bytes}, {settings.bytes}};
  Sizes sizes;
  for (const Entry& entry : tree_of(settings.tree)) sizes.local.push_back(entry.bytes);  // folders take inodes, too
  if (settings.source == Source::own || rank == 0) sizes.global = sizes.local;
  return sizes;
}

}  // namespace staging
