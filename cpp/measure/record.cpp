#include "measure/record.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"
#include "base/json.hpp"

namespace tenken {

namespace {

void count_field(Json& json, std::string_view name, const Count& count) {
  json.key(name);
  count ? json.value(*count) : json.null();
}

void work_object(Json& json, const Cell& cell) {
  json.begin_object()
      .field("flop", cell.flop)
      .field("bytes_read", cell.bytes_read)
      .field("bytes_written", cell.bytes_written)
      .field("messages", cell.messages)
      .end_object();
}

bool same_work(const Cell& a, const Cell& b) {
  return a.flop == b.flop && a.bytes_read == b.bytes_read && a.bytes_written == b.bytes_written &&
         a.messages == b.messages;
}

std::vector<int> rows_with(const Page& page, std::size_t section) {
  std::vector<int> rows;
  for (int row = 0; row < page.header().rows; ++row) {
    if (row != Page::warm_up_row && page.row(row)[section].calls > 0) rows.push_back(row);
  }
  return rows;
}

// A new file, never one that is there or that a link leads to; what an earlier launch left is taken away.
std::FILE* created(const std::string& path) {
  std::remove(path.c_str());
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  return descriptor < 0 ? nullptr : fdopen(descriptor, "w");
}

}  // namespace

void require_regular(const std::string& path, const char* option) {
  struct stat facts {};
  if (path.empty() || lstat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode)) return;
  refuse(std::string(option) + " " + path + " is no regular file and would be replaced; name a regular file");
}

std::string rank_line(const RankFacts& facts) {
  Json json;
  json.begin_object().field("type", "rank").field("rank", facts.rank).field("host", facts.placement.host);
  json.key("cpus").begin_array();
  for (const int cpu : facts.placement.cpus) json.value(cpu);
  json.end_array().key("numa").begin_array();
  for (const int node : facts.placement.numa) json.value(node);
  json.end_array().key("threads").begin_array();
  for (std::size_t i = 0; i < facts.begin_processors.size(); ++i) {
    json.begin_object().field("thread", i);
    json.field("cpu_begin", facts.begin_processors[i]).field("cpu_end", facts.end_processors[i]).end_object();
  }
  json.end_array().field("place", facts.placement.place).field("bound", facts.placement.bound).key("pages");
  if (facts.pages) {
    json.begin_array();
    for (const auto& [node, pages] : *facts.pages)
      json.begin_object().field("node", node).field("pages", pages).end_object();
    json.end_array();
  } else {
    json.null();
  }
  if (facts.card) {
    json.key("card").begin_object().field("id", facts.card->id).field("name", facts.card->name);
    json.field("visible", facts.card->visible).key("numa");
    facts.card->numa < 0 ? json.null() : json.value(facts.card->numa);
    json.end_object();
  }
  json.key("trust").begin_object().field("wall_ns", facts.trust.wall_ns);
  count_field(json, "cpu_ns", facts.trust.cpu_ns);
  count_field(json, "run_queue_wait_ns", facts.trust.run_queue_wait_ns);
  count_field(json, "steal_ns", facts.trust.steal_ns);
  count_field(json, "throttled_ns", facts.trust.throttled_ns);
  count_field(json, "migrations", facts.trust.migrations);
  count_field(json, "involuntary_switches", facts.trust.involuntary_switches);
  count_field(json, "major_faults", facts.trust.major_faults);
  json.key("frequency_hz").begin_array();
  for (const double hz : facts.frequency_hz) json.value(std::round(hz));
  json.end_array();
  if (!facts.additions_per_cycle.empty()) {
    json.key("additions_per_cycle").begin_array();
    for (const double one : facts.additions_per_cycle) json.value(std::round(one * 1e3) / 1e3);
    json.end_array();
  }
  if (!facts.vector_frequency_hz.empty()) {
    json.key("vector_frequency_hz").begin_array();
    for (const double hz : facts.vector_frequency_hz) json.value(std::round(hz));
    json.end_array();
  }
  json.end_object().end_object();
  return json.text() + "\n";
}

std::string series_lines(int rank, const Page& page, const std::vector<LiveSection>& sections) {
  std::string lines;
  const double ns_per_tick = page.header().ns_per_tick;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const std::vector<int> rows = rows_with(page, s);
    if (rows.empty()) continue;
    Json json;
    json.begin_object().field("type", "series").field("rank", rank).field("section", s);
    json.key("repetition").begin_array();
    for (const int row : rows) json.value(row == Page::once_row ? -1 : row - Page::first_repetition_row);
    json.end_array().key("calls").begin_array();
    for (const int row : rows) json.value(page.row(row)[s].calls);
    json.end_array().key("ns").begin_array();
    for (const int row : rows) json.value(std::llround(static_cast<double>(page.row(row)[s].ticks) * ns_per_tick));
    json.end_array().key("work");
    const Cell& first = page.row(rows.front())[s];
    if (std::all_of(rows.begin(), rows.end(), [&](int row) { return same_work(page.row(row)[s], first); })) {
      work_object(json, first);
    } else {
      json.begin_array();
      for (const int row : rows) work_object(json, page.row(row)[s]);
      json.end_array();
    }
    json.end_object();
    lines += json.text() + "\n";
  }
  return lines;
}

void write_record(MPI_Comm comm, const std::string& path, const std::string& head, const std::string& mine,
                  const std::string& tail) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  constexpr int tag = 1;
  int error = 0;
  if (rank == 0) {
    const std::string temporary = path + ".part";
    std::FILE* const file = created(temporary);
    if (file == nullptr) error = errno;
    std::int64_t lines = 1;  // the end line
    const auto put = [&](const std::string& text) {
      lines += std::count(text.begin(), text.end(), '\n');
      if (error == 0 && std::fwrite(text.data(), 1, text.size(), file) != text.size()) error = errno;
    };
    put(head);
    put(mine);
    std::string theirs;
    for (int other = 1; other < ranks; ++other) {
      // All lines are received even after an error: the others wait in their send.
      MPI_Status status;
      int bytes = 0;
      MPI_Probe(other, tag, comm, &status);
      MPI_Get_count(&status, MPI_CHAR, &bytes);
      theirs.resize(static_cast<std::size_t>(bytes));
      MPI_Recv(theirs.data(), bytes, MPI_CHAR, other, tag, comm, MPI_STATUS_IGNORE);
      put(theirs);
    }
    put(tail);
    put(Json().begin_object().field("type", "end").field("lines", lines).end_object().text() + "\n");
    if (file != nullptr && std::fclose(file) != 0 && error == 0) error = errno;
    if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) std::remove(temporary.c_str());
  } else {
    MPI_Send(mine.data(), static_cast<int>(mine.size()), MPI_CHAR, 0, tag, comm);
  }
  MPI_Bcast(&error, 1, MPI_INT, 0, comm);
  if (error != 0) {
    impossible("the record " + path + " could not be written (" + std::strerror(error) +
               "); free space there or choose another place with --runs");
  }
}

}  // namespace tenken
