#include "stage_in.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "measure/section.hpp"
#include "parallel/shared_file.hpp"
#include "storage/launch_folder.hpp"
#include "this_check.hpp"
#include "walk.hpp"

namespace staging {

using namespace tenken;
namespace section = this_check::section;

namespace {

std::string copy_of(int rank) { return "copy." + std::to_string(rank); }

std::int64_t most_calls(const Settings& settings) {
  const std::vector<Entry> tree = tree_of(settings.tree);
  return files_of(tree) + bytes_of(tree) / settings.transfer + 1;
}

}  // namespace

StageIn::StageIn(const Launch& launch) : Passes(launch, most_calls(launch.settings)), tree_(tree_of(settings_.tree)) {
  make_source();
  together(launch.check.comm(), [&] { files_.require(); });
}

std::string StageIn::source() const {
  return settings_.source == Source::own ? "tree." + std::to_string(rank()) : "tree";
}

double StageIn::bytes_of_all() const {
  return static_cast<double>(bytes_of(tree_)) * launch_.check.ranks();  // each rank has a copy
}

double StageIn::files_of_all() const { return static_cast<double>(files_of(tree_)) * launch_.check.ranks(); }

double StageIn::device_bytes() const {
  const auto bytes = static_cast<double>(bytes_of(tree_));
  if (settings_.source == Source::own) return bytes * launch_.check.ranks();
  return settings_.source == Source::broadcast ? bytes : bytes * launch_.global.nodes();  // once a node
}

void StageIn::make_source() {
  if (settings_.source != Source::own && rank() != 0) return;
  const int folder = launch_.global.descriptor();
  files_.make_folder(folder, source());
  for (const Entry& entry : tree_) {
    const std::string path = source() + "/" + entry.path;
    if (entry.kind == Entry::Kind::folder) files_.make_folder(folder, path);
    if (entry.kind == Entry::Kind::link) files_.make_link(folder, path, entry.target);
    if (entry.kind == Entry::Kind::file)
      fill_file({folder, path, owner_of(rank()), entry.number, 0, entry.bytes}, true);
  }
  if (launch_.check.fault("link_out")) files_.make_link(folder, source() + "/out", "../..");
}

void StageIn::prepare() {
  // A shared tree is dropped by the first rank of each node that reads it.
  const bool mine = settings_.source == Source::own || (reads() && launch_.global.node().front() == rank());
  together(launch_.check.comm(), [&] {
    if (!mine) return;
    for (const Entry& entry : tree_) {
      if (entry.kind != Entry::Kind::file) continue;
      prepare_file({launch_.global.descriptor(), source() + "/" + entry.path, 0, 0, 0, entry.bytes});
    }
  });
  finish_preparing();
}

void StageIn::stage() {
  std::vector<Entry> entries = listed();
  if (settings_.source == Source::broadcast) broadcast(entries);
  make_folders_and_links(entries);
  copy_files(entries);
  if (!settings_.sync) return;
  const Section s{section::sync};
  const int folder = launch_.local.descriptor();
  files_.sync_folder(folder, copy_of(rank()));
  for (const Entry& entry : entries) {
    if (entry.kind == Entry::Kind::folder) files_.sync_folder(folder, copy_of(rank()) + "/" + entry.path);
  }
}

std::vector<Entry> StageIn::listed() {
  std::vector<Entry> entries;
  std::optional<UserError> trouble;
  if (reads()) {
    const Section s{section::list};
    try {
      entries = walk(launch_.system, launch_.global.descriptor(), source());
    } catch (const UserError& error) {
      trouble = error;
    }
  }
  const Section s{section::wait};
  agree(launch_.check.comm(), trouble ? &*trouble : nullptr);
  return entries;
}

void StageIn::broadcast(std::vector<Entry>& entries) const {
  const Section s{section::broadcast};
  std::string text = packed(entries);
  auto bytes = static_cast<int>(text.size());
  MPI_Bcast(&bytes, 1, MPI_INT, 0, launch_.check.comm());
  text.resize(static_cast<std::size_t>(bytes));
  MPI_Bcast(text.data(), bytes, MPI_CHAR, 0, launch_.check.comm());
  entries = unpacked(text);
}

void StageIn::make_folders_and_links(const std::vector<Entry>& entries) {
  const Section s{section::make};
  const int folder = launch_.local.descriptor();
  files_.make_folder(folder, copy_of(rank()));
  for (const Entry& entry : entries) {
    const std::string path = copy_of(rank()) + "/" + entry.path;
    if (entry.kind == Entry::Kind::folder) files_.make_folder(folder, path);
    if (entry.kind == Entry::Kind::link) files_.make_link(folder, path, entry.target);
  }
}

// Small files share a transfer, large files need several.
void StageIn::copy_files(const std::vector<Entry>& entries) {
  std::vector<Segment> batch;
  std::int64_t in_batch = 0;
  const auto copy = [&] {
    copy_batch(batch, in_batch);
    batch.clear();
    in_batch = 0;
  };
  for (const Entry& entry : entries) {
    if (entry.kind != Entry::Kind::file) continue;
    std::int64_t at = 0;
    do {
      const std::int64_t bytes = std::min(entry.bytes - at, settings_.transfer - in_batch);
      batch.push_back({&entry, at, bytes});
      in_batch += bytes;
      at += bytes;
      if (in_batch == settings_.transfer) copy();
    } while (at < entry.bytes);
  }
  if (!batch.empty()) copy();
}

void StageIn::copy_batch(const std::vector<Segment>& batch, std::int64_t bytes) {
  std::byte* at = buffer();
  if (reads()) {
    for (const Segment& segment : batch) {
      read_segment(segment, at);
      at += segment.bytes;
    }
  }
  if (settings_.source == Source::broadcast) {
    const Section s{section::broadcast};
    MPI_Bcast(buffer(), static_cast<int>(bytes), MPI_BYTE, 0, launch_.check.comm());
  }
  at = buffer();
  for (const Segment& segment : batch) {
    write_segment(segment, at);
    at += segment.bytes;
  }
  advanced();  // a slow file system is no hung launch
}

void StageIn::read_segment(const Segment& segment, std::byte* into) {
  const auto& [entry, at, bytes] = segment;
  const std::string path = source() + "/" + entry->path;
  const std::int64_t before = ticks_now();
  if (at == 0) {
    const Section s{section::open};
    from_ = files_.open_to_read(launch_.global.descriptor(), path);
  }
  {
    const Section s{section::read, {.bytes_read = bytes}};
    moved_.read += files_.read(from_, path, into, bytes, at);
  }
  if (at + bytes == entry->bytes) {
    const Section s{section::open};
    files_.close(from_, path);
  }
  late(reads_, before, entry->number);
}

void StageIn::write_segment(const Segment& segment, const std::byte* from) {
  const auto& [entry, at, bytes] = segment;
  const std::string path = copy_of(rank()) + "/" + entry->path;
  const std::int64_t before = ticks_now();
  if (at == 0) {
    const Section s{section::make};
    to_ = files_.make(launch_.local.descriptor(), path);
  }
  {
    const Section s{section::write, {.bytes_written = bytes}};
    files_.write(to_, path, from, bytes, at);
    moved_.written += bytes;
  }
  if (at + bytes == entry->bytes) {
    if (settings_.sync) {
      const Section s{section::sync};
      files_.sync(to_, path);
    }
    const Section s{section::make};
    files_.close(to_, path);
  }
  late(writes_, before, entry->number);
}

Passes::Range StageIn::in_copy(int of, const Entry& entry) const {
  return {launch_.local.descriptor(), copy_of(of) + "/" + entry.path, owner_of(of), entry.number, 0, entry.bytes};
}

void StageIn::plant() {
  for (const Entry& entry : tree_) {
    if (entry.number == 0) plant_in(in_copy(rank(), entry));
  }
}

void StageIn::verify() {
  std::map<std::string, Entry> copied;
  together(launch_.check.comm(), [&] {
    for (Entry& entry : walk(launch_.system, launch_.local.descriptor(), copy_of(next_))) copied[entry.path] = entry;
  });
  for (const Entry& entry : tree_) {
    const auto at = copied.find(entry.path);
    const bool is_there = at != copied.end() && at->second.kind == entry.kind && at->second.target == entry.target;
    if (at != copied.end()) copied.erase(at);
    if (entry.kind == Entry::Kind::file) {
      compare(in_copy(next_, entry));
    } else if (!is_there) {
      const bool link = entry.kind == Entry::Kind::link;
      note({.kind = static_cast<std::int64_t>(link ? WrongFileKind::link : WrongFileKind::missing),
            .owner = next_,
            .number = -1});
    }
  }
  for (std::size_t i = 0; i < copied.size(); ++i) {
    note({.kind = static_cast<std::int64_t>(WrongFileKind::strange), .owner = next_, .number = -1});
  }
}

void StageIn::clean() {
  MPI_Barrier(launch_.check.comm());  // the next rank has compared the copy
  together(launch_.check.comm(), [&] {
    if (!storage::remove_tree(launch_.system, launch_.local.descriptor(), copy_of(rank()))) {
      impossible(launch_.who() + ", folder " + copy_of(rank()) + " cannot be removed; name another root");
    }
  });
}

}  // namespace staging
