#include "passes.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "measure/section.hpp"
#include "parallel/shared_file.hpp"
#include "plant.hpp"
#include "storage/cache_state.hpp"
#include "storage/launch_folder.hpp"
#include "this_check.hpp"

namespace metadata {

using namespace tenken;
namespace section = this_check::section;

namespace {

// The rank whose files this rank lists and compares: the next rank of the node, or the same place on the next node.
// Where the node has a single rank, the next rank of all that see the same folder.
int next_of(const Launch& launch) {
  if (launch.settings.stat_by != StatBy::other_node) return launch.folder.next_rank();
  return (launch.check.rank() + static_cast<int>(launch.folder.node().size())) % launch.check.ranks();
}

Leaf section_of(Phase phase) {
  constexpr Leaf sections[phases] = {section::create, section::stat, section::read, section::remove};
  return sections[static_cast<int>(phase)];
}

}  // namespace

Passes::Passes(const Launch& launch)
    : launch_(launch),
      settings_(launch.settings),
      places_(launch.settings.places),
      clock_(launch.check.comm()),
      next_(next_of(launch)),
      source_(settings_.stat_by == StatBy::self ? launch.check.rank() : next_),
      verifier_of_(source_ == launch.check.rank() && next_ != source_ ? next_ : -1),
      own_(places_.paths(launch.check.rank())),
      of_source_(places_.paths(source_)),
      data_(places_.files, settings_.bytes, places_.ranks, launch.folder.number()),
      calls_(launch.system, launch.folder.descriptor(), launch.who()),
      late_{storage::CallTimes(places_.files), storage::CallTimes(places_.files), storage::CallTimes(places_.files),
            storage::CallTimes(places_.files)} {}

void Passes::pass(bool timed) {
  ++pass_;
  noted_.clear();
  launch_.folder.renew();
  make_folders();
  clock_.synchronise();
  create();
  if (settings_.sync) sync_folders();
  plant();
  list_after_creation();
  stat();
  read();
  verify();
  remove();
  for (int i = 0; i < phases; ++i) {
    const auto at = static_cast<std::size_t>(i);
    late_[at].end_pass(timed);
    if (timed) ns_[at].push_back(now_ns_[at]);
  }
}

double Passes::phase(Phase phase, const Operation& operation, const std::function<void()>& after) {
  MPI_Barrier(launch_.check.comm());
  storage::CallTimes& late = late_[static_cast<std::size_t>(phase)];
  const std::int64_t bytes = places_.files * settings_.bytes;
  const Work work{.bytes_read = phase == Phase::read ? bytes : 0, .bytes_written = phase == Phase::create ? bytes : 0};
  std::int64_t done = 0;
  const double begin = clock_.now();
  {
    const Section s{section_of(phase), 0, work, places_.files};
    std::int64_t before = ticks_now();
    for (int file = 0; file < places_.files; ++file) {
      done += operation(file) ? 1 : 0;
      advanced();  // a slow file system is no hung launch
      const std::int64_t now = ticks_now();
      late.add(static_cast<double>(now - before) * clock_.ns_per_tick(), file);
      before = now;
    }
  }
  if (after) after();
  const double end = clock_.now();
  together(launch_.check.comm(), [&] { calls_.require(); });
  require_done(phase, done);
  return now_ns_[static_cast<std::size_t>(phase)] = clock_.whole(begin, end);
}

void Passes::require_done(Phase phase, std::int64_t done) const {
  together(launch_.check.comm(), [&] {
    if (done > 0) return;
    impossible("phase " + std::string(name_of(phase)) + " of " + launch_.who() + " did nothing: 0 of " +
               std::to_string(places_.files) + " files; there is no rate of it. Check the file system of the root");
  });
}

void Passes::make_folders() const {
  const int folder = launch_.folder.descriptor(), rank = launch_.check.rank();
  together(launch_.check.comm(), [&] {
    if (places_.shared && rank != 0) return;
    for (const std::string& path : places_.folders(rank)) {
      if (launch_.system.make_folder(folder, path.c_str(), 0700) != 0) {
        impossible(launch_.who() + ", folder " + path + ": " + std::strerror(errno) +
                   " (mkdir); free space on the root or name another root");
      }
    }
  });
}

void Passes::create() {
  data_.fill(launch_.check.rank(), pass_);
  phase(Phase::create, [&](int file) {
    calls_.create(own_[static_cast<std::size_t>(file)], data_.of(file), settings_.bytes);
    return true;  // the folders show whether the file is there
  });
}

void Passes::sync_folders() {
  MPI_Barrier(launch_.check.comm());
  const int rank = launch_.check.rank();
  {
    const Section s{section::sync};
    for (int leaf = 0; leaf < places_.leaves(); ++leaf) {
      if (!places_.shared || leaf % places_.ranks == rank) calls_.sync_folder(places_.leaf(rank, leaf));
    }
    // Ranks without a share of the folders are not faster than the others.
    if (places_.shared) MPI_Barrier(launch_.check.comm());
  }
  together(launch_.check.comm(), [&] { calls_.require(); });
}

void Passes::plant() const {
  const Check& check = launch_.check;
  if (check.rank() == check.ranks() - 1) {
    plant_in_files(launch_.folder.descriptor(), check.parameters().text("fault"), places_, check.rank());
  }
}

// The leaves of the tree of the next rank; of a shared tree each rank lists its share.
Listing Passes::list() const {
  Listing listing(places_.ranks);
  const int folder = launch_.folder.descriptor();
  for (int leaf = 0; leaf < places_.leaves(); ++leaf) {
    if (places_.shared && (leaf + 1) % places_.ranks != launch_.check.rank()) continue;
    list_into(listing, launch_.system, folder, places_.leaf(next_, leaf), places_);
  }
  return listing;
}

void Passes::list_after_creation() {
  MPI_Barrier(launch_.check.comm());
  Listing listing(places_.ranks);
  together(launch_.check.comm(), [&] { listing = list(); });
  const double all = launch_.check.sum_over_ranks(static_cast<double>(listing.all()));
  const double off = all - static_cast<double>(places_.files) * places_.ranks;
  if (std::abs(off) > std::abs(listed_off_)) listed_off_ = off;
  MPI_Allreduce(MPI_IN_PLACE, listing.of_writer.data(), places_.ranks, MPI_INT64_T, MPI_SUM, launch_.check.comm());
  require_done(Phase::create, listing.of_writer[static_cast<std::size_t>(launch_.check.rank())]);
  for (std::int64_t i = 0; i < listing.strange; ++i) {
    note({.files = 1, .kind = static_cast<std::int64_t>(WrongFileKind::strange), .writer = next_, .file = -1 - i});
  }
}

void Passes::note(WrongFiles wrong) {
  if (!noted_.insert({wrong.writer, wrong.file}).second) return;
  if (wrong_.files++ > 0) return;
  wrong.files = wrong_.files;
  wrong.expected_bytes = settings_.bytes;
  wrong_ = wrong;
}

void Passes::stat() {
  std::vector<Seen> seen(static_cast<std::size_t>(places_.files));
  phase(Phase::stat, [&](int file) {
    const auto at = static_cast<std::size_t>(file);
    seen[at] = calls_.stat(of_source_[at]);
    return seen[at].answer != Seen::Answer::nothing;
  });
  for (int file = 0; file < places_.files; ++file) {
    const Seen& of = seen[static_cast<std::size_t>(file)];
    WrongFiles wrong{.kind = static_cast<std::int64_t>(WrongFileKind::missing),
                     .phase = static_cast<std::int64_t>(Phase::stat),
                     .writer = source_,
                     .file = file};
    if (of.answer == Seen::Answer::file) {
      if (of.bytes == settings_.bytes) continue;
      wrong.kind = static_cast<std::int64_t>(storage::WrongKind::short_file);
      wrong.bytes = of.bytes;
    }
    note(wrong);
  }
}

void Passes::compare(int writer, int file, const Seen& seen) {
  WrongFiles wrong{
      .phase = static_cast<std::int64_t>(Phase::read), .writer = writer, .file = file, .bytes = seen.bytes};
  if (seen.answer == Seen::Answer::missing) {
    wrong.kind = static_cast<std::int64_t>(WrongFileKind::missing);
    return note(wrong);
  }
  if (seen.bytes != settings_.bytes) {
    wrong.kind = static_cast<std::int64_t>(storage::WrongKind::short_file);
    return note(wrong);
  }
  const auto content = data_.wrong(writer, pass_, file);
  if (!content) return;
  wrong.kind = static_cast<std::int64_t>(content->kind);
  wrong.at = content->at;
  wrong.found_launch = content->found_launch;
  wrong.found_rank = content->found_rank;
  wrong.found_file = content->found_file;
  note(wrong);
}

void Passes::read() {
  std::vector<Seen> seen(static_cast<std::size_t>(places_.files));
  data_.fill_unread();
  phase(Phase::read, [&](int file) {
    const auto at = static_cast<std::size_t>(file);
    seen[at] = calls_.read(of_source_[at], data_.of(file), settings_.bytes);
    return seen[at].answer != Seen::Answer::nothing;
  });
  std::int64_t read_something = 0;
  for (int file = 0; file < places_.files; ++file) {
    const auto content = data_.wrong(source_, pass_, file);
    if (!content || content->kind != storage::WrongKind::nothing_read) ++read_something;
    compare(source_, file, seen[static_cast<std::size_t>(file)]);
  }
  require_done(Phase::read, read_something);
}

// Untimed: where each rank stats and reads its files, the next rank compares the content.
void Passes::verify() {
  if (verifier_of_ >= 0) {
    data_.fill_unread();
    const std::vector<std::string> paths = places_.paths(verifier_of_);
    for (int file = 0; file < places_.files; ++file) {
      compare(verifier_of_, file, calls_.read(paths[static_cast<std::size_t>(file)], data_.of(file), settings_.bytes));
    }
  }
  together(launch_.check.comm(), [&] { calls_.require(); });
}

// The client of a network file system may show removed files for some time; a local file system does not.
Listing Passes::list_until_empty() const {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{10};
  const auto kind = storage::file_system_of(launch_.system.file_system(launch_.folder.descriptor())).kind;
  const auto end = Clock::now() + (kind == storage::FileSystemKind::network ? patience : std::chrono::seconds{0});
  Listing listing = list();
  while (listing.all() > 0 && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    listing = list();
  }
  return listing;
}

void Passes::remove() {
  Listing left(places_.ranks);
  std::optional<UserError> trouble;
  phase(
      Phase::remove,
      [&](int file) {
        if (!calls_.remove(own_[static_cast<std::size_t>(file)])) {
          note({.kind = static_cast<std::int64_t>(WrongFileKind::missing),
                .phase = static_cast<std::int64_t>(Phase::remove),
                .writer = launch_.check.rank(),
                .file = file});
        }
        return true;  // the folders show whether the file is gone
      },
      [&] {
        {
          const Section s{section::wait};
          MPI_Barrier(launch_.check.comm());
        }
        const Section s{section::see_empty};
        try {
          left = list_until_empty();
        } catch (const UserError& error) {
          trouble = error;
        }
      });
  agree(launch_.check.comm(), trouble ? &*trouble : nullptr);
  for (const Made& file : left.first) {
    note({.kind = static_cast<std::int64_t>(WrongFileKind::left),
          .phase = static_cast<std::int64_t>(Phase::remove),
          .writer = file.writer,
          .file = file.file});
  }
  MPI_Allreduce(MPI_IN_PLACE, left.of_writer.data(), places_.ranks, MPI_INT64_T, MPI_SUM, launch_.check.comm());
  const int rank = launch_.check.rank();
  require_done(Phase::remove, places_.files - left.of_writer[static_cast<std::size_t>(rank)]);
  together(launch_.check.comm(), [&] {
    if (places_.shared && rank != 0) return;
    const std::string top = places_.folders(rank).front();
    if (!storage::remove_tree(launch_.system, launch_.folder.descriptor(), top)) {
      impossible(launch_.who() + ", folder " + top + " cannot be removed; name another root");
    }
  });
}

}  // namespace metadata
