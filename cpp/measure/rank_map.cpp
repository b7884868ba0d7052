#include "measure/rank_map.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/tree.hpp"

namespace tenken {

namespace {

// Lengths of a box such as 12x15x6; empty where the text is none.
std::vector<int> box_of(const std::string& map) {
  std::vector<int> lengths;
  for (const std::string& part : split(map, 'x')) {
    const auto length = parse_number(part);
    if (!length || std::to_string(*length) != part || *length < 1 || *length > std::numeric_limits<int>::max())
      return {};
    lengths.push_back(static_cast<int>(*length));
  }
  return lengths.size() > 1 ? lengths : std::vector<int>();
}

std::vector<int> in_box(const std::string& map, const std::vector<int>& lengths, int places) {
  std::int64_t cells = 1;
  for (const int length : lengths) cells = std::min<std::int64_t>(cells * length, std::numeric_limits<int>::max());
  if (cells != places) {
    refuse("rank_map " + map + ": a box of " + std::to_string(cells) + " places, and the launch has " +
           std::to_string(places) + " ranks; expected lengths whose product is the number of ranks");
  }
  std::vector<int> ranks(static_cast<std::size_t>(places));
  for (int place = 0; place < places; ++place) {
    int rank = 0;
    int left = place;
    for (std::size_t axis = lengths.size(); axis-- > 0; left /= lengths[axis]) {
      rank = rank * lengths[axis] + left % lengths[axis];
    }
    ranks[static_cast<std::size_t>(place)] = rank;
  }
  return ranks;
}

std::vector<int> read_file(const std::string& path, int places) {
  std::ifstream file(path);
  if (!file)
    refuse("rank_map " + path +
           ": no file that can be read; expected row, reversed, a box such as 4x2 or a file with a rank a line");
  std::vector<int> ranks;
  std::vector<int> line_of(static_cast<std::size_t>(places), 0);
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const std::string text = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (text.empty()) continue;
    const std::string where = "rank_map " + path + ":" + std::to_string(number) + ": ";
    const auto rank = parse_number(text);
    if (!rank || std::to_string(*rank) != text || *rank < 0 || *rank >= places) {
      refuse(where + "'" + text + "' is no rank; expected a number from 0 to " + std::to_string(places - 1));
    }
    int& line_before = line_of[static_cast<std::size_t>(*rank)];
    if (line_before > 0) {
      refuse(where + "rank " + text + " is there twice, first in line " + std::to_string(line_before) +
             "; each rank has one place");
    }
    line_before = number;
    ranks.push_back(static_cast<int>(*rank));
  }
  if (ranks.size() != line_of.size()) {
    refuse("rank_map " + path + ": " + std::to_string(ranks.size()) + " ranks, and the launch has " +
           std::to_string(places) + "; expected a line for each");
  }
  return ranks;
}

}  // namespace

std::vector<int> read_rank_map(const std::string& map, int places) {
  std::vector<int> ranks(static_cast<std::size_t>(places));
  std::iota(ranks.begin(), ranks.end(), 0);
  if (map == "reversed") return {ranks.rbegin(), ranks.rend()};
  if (map.empty() || map == "row") return ranks;
  const std::vector<int> lengths = box_of(map);
  return lengths.empty() ? read_file(map, places) : in_box(map, lengths, places);
}

MPI_Comm mapped(MPI_Comm world, const std::string& map) {
  if (map.empty() || map == "row") return world;
  int place = 0;
  int places = 1;
  MPI_Comm_rank(world, &place);
  MPI_Comm_size(world, &places);
  std::vector<int> ranks(static_cast<std::size_t>(places));
  std::string wrong;
  if (place == 0) {
    try {
      ranks = read_rank_map(map, places);
    } catch (const UserError& error) {
      wrong = error.what();
    }
  }
  int failed = wrong.empty() ? 0 : 1;
  MPI_Bcast(&failed, 1, MPI_INT, 0, world);
  // Every rank refuses alike; only the first one speaks (run_check).
  if (failed != 0) refuse(wrong.empty() ? "rank_map " + map + " is refused; see the first rank" : wrong);
  MPI_Bcast(ranks.data(), places, MPI_INT, 0, world);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_split(world, 0, ranks[static_cast<std::size_t>(place)], &comm);
  return comm;
}

}  // namespace tenken
