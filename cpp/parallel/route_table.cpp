#include "parallel/route_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "base/error.hpp"
#include "base/median.hpp"
#include "parallel/shared_file.hpp"
#include "parallel/text_file.hpp"

namespace tenken {

namespace {

constexpr std::array<const char*, route_kinds> names = {"pack", "datatype", "window", "put", "neighbour", "staged"};
constexpr std::array<const char*, near_classes> classes = {"itself", "core",    "cache",  "socket",
                                                           "node",   "network", "unknown"};
constexpr std::size_t columns = 6 + route_kinds + 3;
constexpr std::size_t largest_file = 1 << 20;
constexpr const char* measure = "; measure the routes with the check that has save_routes (./tenken list checks)";
constexpr double nearest_ratio = 4;  // of bytes: beyond, a measurement says nothing about a message

std::optional<RouteTable>& in_use() {
  static std::optional<RouteTable> table;
  return table;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char letter : line) {
    if (letter == '\t') {
      cells.emplace_back();
    } else {
      cells.back() += letter;
    }
  }
  return cells;
}

// A reader of one line, which names file and line where a cell does not fit.
class Line {
 public:
  Line(std::string_view file, std::size_t number, std::vector<std::string> cells)
      : where_("line " + std::to_string(number) + " of " + std::string(file)), cells_(std::move(cells)) {
    if (cells_.size() != columns) {
      fail("has " + std::to_string(cells_.size()) + " columns where " + std::to_string(columns) +
           " separated by tabs are expected");
    }
  }

  const std::string& cell(std::size_t i) const { return cells_[i]; }
  Near near() const {
    const auto found = std::find(classes.begin(), classes.end(), cells_[2]);
    if (found == classes.end()) fail("has '" + shown(2) + "' where a class such as core, cache or node is expected");
    return static_cast<Near>(found - classes.begin());
  }
  std::int64_t count(std::size_t i) const {
    std::int64_t value = 0;
    const std::string& text = cells_[i];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < 1) {
      fail("has '" + shown(i) + "' where a number of 1 or more is expected");
    }
    return value;
  }
  double microseconds(std::size_t i) const {
    const std::string& text = cells_[i];
    if (text == "-") return -1;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value <= 0) {
      fail("has '" + shown(i) + "' where microseconds above 0, or -, are expected");
    }
    return value;
  }
  [[noreturn]] void fail(const std::string& problem) const { refuse(where_ + " " + problem + measure); }

 private:
  std::string shown(std::size_t i) const { return printable(cells_[i].substr(0, 40)); }

  std::string where_;
  std::vector<std::string> cells_;
};

}  // namespace

const char* name_of(RouteKind kind) { return names[static_cast<std::size_t>(kind)]; }

RouteKind route_kind_from(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return static_cast<RouteKind>(i);
  }
  std::string all;
  for (const char* one : names) all += (all.empty() ? "" : ", ") + std::string(one);
  refuse("route '" + printable(name) + "' is not known; valid are " + all);
}

int fastest_route(std::span<const double> times) {
  double least = -1;
  for (const double time : times) {
    if (time >= 0 && (least < 0 || time < least)) least = time;
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] >= 0 && times[i] <= route_tie * least) return static_cast<int>(i);
  }
  return -1;
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string all(text);
  return all.substr(0, all.find('\n'));
}

RouteOrigin route_origin(const Tree& tree) {
  const std::vector<std::string> lines = tree.lines("/proc/cpuinfo");
  std::string processor = "unknown";
  for (const std::string_view key : {"model name", "cpu", "Processor", "CPU part"}) {
    if (const auto found = value_of(lines, key, ':'); found && !found->empty()) {
      processor = *found;
      break;
    }
  }
  RouteOrigin origin{processor, mpi_library()};
  for (std::string* text : {&origin.processor, &origin.mpi}) std::replace(text->begin(), text->end(), '\t', ' ');
  return origin;
}

std::string route_heading() {
  std::string text = "# processor\tMPI\tneighbours\tblock_bytes\tblocks\tfastest";
  for (const char* name : names) text += "\t" + std::string(name) + "_us";
  return text + "\tplacement\tlaunch\tdate\n";
}

std::string route_text(const RouteOrigin& origin, const RouteLine& line, std::string_view placement,
                       std::string_view launch, std::string_view date) {
  const int fastest = fastest_route(line.us);
  std::string text = origin.processor + "\t" + origin.mpi + "\t" + classes[static_cast<std::size_t>(line.near)] + "\t" +
                     std::to_string(line.block_bytes) + "\t" + std::to_string(line.blocks) + "\t" +
                     (fastest < 0 ? "-" : names[static_cast<std::size_t>(fastest)]);
  for (const double us : line.us) {
    char number[32] = "-";
    if (us >= 0) std::snprintf(number, sizeof number, "%.4g", us);
    text += "\t" + std::string(number);
  }
  for (std::string_view last : {placement, launch, date}) text += "\t" + (last.empty() ? "-" : std::string(last));
  return text + "\n";
}

RouteTable::RouteTable(std::string_view text, std::string_view file, const RouteOrigin& origin) {
  std::map<std::tuple<Near, std::int64_t, std::int64_t>, std::array<std::vector<double>, route_kinds>> cases;
  std::set<std::string> others;
  std::istringstream in{std::string(text)};
  std::string row;
  for (std::size_t number = 1; std::getline(in, row); ++number) {
    if (row.empty() || row[0] == '#') continue;
    const Line line(file, number, cells_of(row));
    const std::tuple of{line.near(), line.count(3), line.count(4)};
    RouteTimes us{};
    for (std::size_t kind = 0; kind < route_kinds; ++kind) us[kind] = line.microseconds(6 + kind);
    if (RouteOrigin{line.cell(0), line.cell(1)} != origin) {
      others.insert(printable(line.cell(0)) + " with " + printable(line.cell(1)));
      continue;
    }
    auto& times = cases[of];
    for (std::size_t kind = 0; kind < route_kinds; ++kind) {
      if (us[kind] >= 0) times[kind].push_back(us[kind]);
    }
  }
  if (cases.empty()) {
    refuse("--routes " + std::string(file) + " has no routes of " + origin.processor + " with " + origin.mpi +
           (others.empty() ? "" : ", only of " + *others.begin()) + measure);
  }
  for (const auto& [of, times] : cases) {
    RouteLine line{std::get<0>(of), std::get<1>(of), std::get<2>(of), {}};
    for (std::size_t kind = 0; kind < route_kinds; ++kind) {
      line.us[kind] = times[kind].empty() ? -1 : median_of(times[kind]);
    }
    lines_.push_back(line);
  }
  if (std::none_of(lines_.begin(), lines_.end(), [](const RouteLine& line) { return line.blocks == 1; })) {
    refuse("--routes " + std::string(file) +
           " has planes of several blocks alone, but packed messages are of one block" + measure);
  }
}

std::optional<RouteTimes> RouteTable::of_message(Near near, std::int64_t bytes) const {
  const RouteLine* best = nullptr;
  double least = nearest_ratio;
  for (const RouteLine& line : lines_) {
    if (line.near != near || line.blocks != 1) continue;
    const double ratio = static_cast<double>(line.block_bytes) / static_cast<double>(std::max<std::int64_t>(bytes, 1));
    const double away = std::max(ratio, 1 / ratio);
    if (away <= least) {
      best = &line;
      least = away;
    }
  }
  if (best == nullptr) return std::nullopt;
  return best->us;
}

const RouteTable* routes_in_use() { return in_use() ? &*in_use() : nullptr; }

void use_routes(std::optional<RouteTable> table) { in_use() = std::move(table); }

void use_routes(MPI_Comm comm, const std::string& file) {
  if (file.empty()) return;
  const std::string text = text_for_all(comm, "--routes", file, largest_file);
  together(comm, [&] { use_routes(RouteTable(text, file, route_origin(Tree("/")))); });
}

}  // namespace tenken
