#include "passes.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "measure/section.hpp"
#include "parallel/shared_file.hpp"
#include "plant.hpp"
#include "this_check.hpp"

namespace io_throughput {

using namespace tenken;
namespace section = this_check::section;
using storage::CacheState;

namespace {

// The next rank of the node, so that no rank of two checks the data that it wrote. Of cache state other_node, the
// rank that has the same place on the next node.
int source_of(const Launch& launch) {
  const std::vector<int>& node = launch.folder.node();
  const int rank = launch.check.rank(), ranks = launch.check.ranks();
  if (launch.settings.cache == CacheState::other_node) return (rank + static_cast<int>(node.size())) % ranks;
  const auto me = std::find(node.begin(), node.end(), rank);
  return me + 1 == node.end() ? node.front() : *(me + 1);
}

}  // namespace

Passes::Passes(const Launch& launch)
    : launch_(launch),
      settings_(launch.settings),
      places_(launch.settings.places),
      clock_(launch.check.comm()),
      data_(places_, launch.folder.number(), launch.buffer),
      source_(source_of(launch)),
      writes_(places_.calls()),
      reads_(places_.calls()) {}

std::unique_ptr<DataFile> Passes::new_file(bool direct) const {
  const int folder = launch_.folder.descriptor();
  if (settings_.mpi_io && !direct) {
    return mpi_io_file(places_.shared() ? launch_.check.comm() : MPI_COMM_SELF, folder, launch_.who());
  }
  return posix_file(launch_.system, folder, launch_.who(), direct ? launch_.alignment : std::nullopt);
}

void Passes::pass(bool timed) {
  ++pass_;
  ++counted_.passes;
  launch_.folder.renew();
  clock_.synchronise();
  const double write_ns = write();
  plant();
  MPI_Barrier(launch_.check.comm());
  write_out();
  // Direct reads take turns with the reads that are compared with them: the storage may change meanwhile, and who reads
  // second may find a cache behind the device filled.
  const bool first = timed && pass_ % 2 == 0;
  std::optional<double> direct_ns = first ? direct_read() : std::nullopt;
  prepare_cache();
  const double read_ns = read();
  if (timed && !first) direct_ns = direct_read();
  writes_.end_pass(timed);
  reads_.end_pass(timed);
  if (!timed) return;
  write_ns_.push_back(write_ns);
  read_ns_.push_back(read_ns);
  if (direct_ns) direct_ns_.push_back(*direct_ns);
}

double Passes::write() {
  MPI_Comm comm = launch_.check.comm();
  const std::string name = places_.file();
  if (!places_.shared() || launch_.check.rank() == 0)
    launch_.system.remove(launch_.folder.descriptor(), name.c_str(), 0);
  const auto file = new_file(settings_.direct());
  data_.fill(places_.rank, pass_, 0);
  MPI_Barrier(comm);
  const storage::Counting counting;
  double pause = 0;  // in which data of the next part were made
  const double begin = clock_.now();
  {
    const Section s{section::open};
    file->open(name, Use::write);
  }
  for (std::int64_t part = 0; part < data_.parts(); ++part) {
    if (part > 0) {
      if (settings_.sync) sync_files(*file);  // the device writes nothing while no clock runs
      const double from = clock_.now();
      data_.fill(places_.rank, pass_, part);
      pause += clock_.now() - from;
    }
    const std::int64_t first = data_.first_call(part), end = data_.end_call(part);
    const Section s{section::write, 0, {.bytes_written = data_.bytes(part)}, static_cast<int>(end - first)};
    std::int64_t before = ticks_now();
    for (std::int64_t call = first; call < end; ++call) {
      file->write(data_.at_call(call), places_.length(call), places_.at(call));
      const std::int64_t now = ticks_now();
      writes_.add(static_cast<double>(now - before) * clock_.ns_per_tick(), places_.at(call));
      before = now;
    }
  }
  if (settings_.sync)
    sync_files(*file);
  else
    wait_for_ranks();
  {
    const Section s{section::close};
    file->close();
  }
  const double end = clock_.now() - pause;
  counted_.add(&Counted::write, counting.end());
  together(comm, [&] { file->require(); });
  return clock_.whole(begin, end);
}

void Passes::sync_files(DataFile& file) const {
  wait_for_ranks();
  const Section s{section::sync};
  file.sync();
}

void Passes::wait_for_ranks() const {
  if (!settings_.mpi_io || !places_.shared()) return;
  const Section s{section::wait};
  MPI_Barrier(launch_.check.comm());
}

void Passes::plant() const {
  const Check& check = launch_.check;
  const Places last = places_.of(check.ranks() - 1);
  if (check.rank() == last.rank) {
    plant_in_file(launch_.folder.descriptor(), check.parameters().text("fault"), last, data_, pass_);
  }
}

// Writes the files through to the device and forgets their pages, as the cache state asks.
void Passes::prepare_cache() {
  if (settings_.cache != CacheState::dropped) return;
  const auto share = on_own_file([&](int file, const std::string& what) {
    return storage::drop(launch_.system, file, places_.file_bytes(), what);
  });
  if (share) resident_ = std::max(resident_.value_or(0), *share);
}

void Passes::write_out() {
  if (settings_.cache == CacheState::cached) return;
  on_own_file([&](int file, const std::string& what) {
    if (launch_.system.sync_data(file) != 0) impossible(what + ": " + std::strerror(errno) + " (fdatasync)");
    return std::optional<double>();
  });
}

std::optional<double> Passes::on_own_file(
    const std::function<std::optional<double>(int file, const std::string& what)>& work) const {
  std::optional<double> answer;
  together(launch_.check.comm(), [&] {
    const std::string name = places_.file(), what = launch_.who() + ", file " + name;
    const int file = launch_.system.open_at(launch_.folder.descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW);
    if (file < 0) impossible(what + ": " + std::strerror(errno) + " (open)");
    answer = work(file, what);
    launch_.system.close(file);
  });
  return answer;
}

std::int64_t Passes::read_part(DataFile& file, const Places& from, std::int64_t part) {
  std::int64_t got = 0, before = ticks_now();
  for (std::int64_t call = data_.first_call(part); call < data_.end_call(part); ++call) {
    got += file.read(data_.at_call(call), from.length(call), from.at(call));
    const std::int64_t now = ticks_now();
    reads_.add(static_cast<double>(now - before) * clock_.ns_per_tick(), from.at(call));
    before = now;
  }
  return got;
}

double Passes::read() {
  MPI_Comm comm = launch_.check.comm();
  const Places from = places_.of(source_);
  const auto file = new_file(settings_.direct());
  const std::int64_t file_bytes = length_of_file(from.file());
  data_.fill_unread(0);
  const std::int64_t device_before = counted_.read.from_device;
  MPI_Barrier(comm);
  const storage::Counting counting;
  double pause = 0;  // in which data were compared
  const double begin = clock_.now();
  {
    const Section s{section::read_open};
    file->open(from.file(), Use::read);
  }
  double end = 0;
  for (std::int64_t part = 0; part < data_.parts(); ++part) {
    std::int64_t got = 0;
    {
      const auto calls = static_cast<int>(data_.end_call(part) - data_.first_call(part));
      const Section s{section::read, 0, {.bytes_read = data_.bytes(part)}, calls};
      got = read_part(*file, from, part);
    }
    if (part + 1 == data_.parts()) {
      wait_for_ranks();
      const Section s{section::read_close};
      file->close();
    }
    end = clock_.now();
    if (part + 1 == data_.parts()) counted_.add(&Counted::read, counting.end());
    data_.compare(source_, pass_, part, got, file_bytes);
    if (part + 1 < data_.parts()) data_.fill_unread(part + 1);
    if (part + 1 < data_.parts()) pause += clock_.now() - end;
  }
  together(comm, [&] { file->require(); });
  const double device = launch_.check.sum_over_ranks(static_cast<double>(counted_.read.from_device - device_before));
  least_from_device_ = std::min(least_from_device_, device / (static_cast<double>(places_.bytes) * places_.ranks));
  return clock_.whole(begin, end - pause);
}

void Passes::verify(int writer) {
  const Places from = places_.of(writer);
  const auto file = posix_file(launch_.system, launch_.folder.descriptor(), launch_.who(), std::nullopt);
  const std::int64_t file_bytes = length_of_file(from.file());
  file->open(from.file(), Use::read);
  for (std::int64_t part = 0; part < data_.parts(); ++part) {
    data_.fill_unread(part);
    const std::int64_t got = read_part(*file, from, part);
    data_.compare(writer, pass_, part, got, file_bytes);
    advanced();
  }
  reads_.end_pass(false);
  together(launch_.check.comm(), [&] { file->require(); });
}

std::optional<double> Passes::direct_read() {
  if (!launch_.alignment) return std::nullopt;
  constexpr std::int64_t largest = 16 << 20;
  const std::int64_t unit = launch_.alignment->offset;
  const std::int64_t bytes = places_.bytes / unit * unit;
  const std::int64_t begin_at = (places_.shared() ? source_ * places_.bytes : 0) / unit * unit;
  const std::int64_t transfer = std::min(largest, bytes);
  if (bytes == 0) return std::nullopt;
  if (direct_.size() == 0) direct_ = Buffer<std::byte>(static_cast<std::size_t>(transfer), Pages::any, "direct reads");
  const auto file = new_file(true);
  MPI_Barrier(launch_.check.comm());
  const double begin = clock_.now();
  file->open(places_.of(source_).file(), Use::read);
  std::int64_t got = 0;
  for (std::int64_t at = 0; at < bytes; at += transfer) {
    got += file->read(direct_.data(), std::min(transfer, bytes - at), begin_at + at);
  }
  file->close();
  const double end = clock_.now();
  together(launch_.check.comm(), [&] { file->require(); });
  const double ns = clock_.whole(begin, end) * static_cast<double>(places_.bytes) / static_cast<double>(bytes);
  const bool all = launch_.check.max_over_ranks(got == bytes ? 0 : 1) == 0;  // a short file: no rate
  return all ? std::optional(ns) : std::nullopt;
}

std::int64_t Passes::length_of_file(const std::string& name) const {
  const int file = launch_.system.open_at(launch_.folder.descriptor(), name.c_str(), O_RDONLY | O_NOFOLLOW);
  struct stat of {};
  const bool known = file >= 0 && launch_.system.status(file, of) == 0;
  if (file >= 0) launch_.system.close(file);
  return known ? static_cast<std::int64_t>(of.st_size) : -1;
}

}  // namespace io_throughput
