// By which route a message reaches a neighbour fastest, as launches measured it (`save_routes`) and a file keeps it.
//
// One measurement a line, the columns separated by tabs:
//   processor, MPI library, neighbour class, bytes of a block, blocks, fastest route, microseconds of each route ("-":
//   the ranks have no such route), placement, launch, date
// Lines that begin with # are comments. Launches append; several lines of one case are taken by their medians.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tree.hpp"
#include "parallel/neighbour_class.hpp"

namespace tenken {

// Numbers are those of the value `best_route` of records.
enum class RouteKind { pack = 0, datatype = 1, window = 2, put = 3, neighbour = 4, staged = 5 };
constexpr int route_kinds = 6;
const char* name_of(RouteKind kind);
RouteKind route_kind_from(std::string_view name);  // throws UserError (refused) that lists the names

using RouteTimes = std::array<double, route_kinds>;  // microseconds; negative: no such route
constexpr double route_tie = 1.05;

// The route with the shortest time. A route within 5 % of it is a tie, and the first of tied routes wins: pack. -1: no
// time.
int fastest_route(std::span<const double> times);

struct RouteLine {
  Near near = Near::unknown;
  std::int64_t block_bytes = 0;
  std::int64_t blocks = 0;
  RouteTimes us{};
};

// Where and with what the lines were measured.
struct RouteOrigin {
  std::string processor;
  std::string mpi;
  bool operator==(const RouteOrigin&) const = default;
};
RouteOrigin route_origin(const Tree& tree);  // of this process
std::string mpi_library();                   // first line of what the MPI says of itself

// `launch` and `placement`: "" is written as "-".
std::string route_text(const RouteOrigin& origin, const RouteLine& line, std::string_view placement,
                       std::string_view launch, std::string_view date);
std::string route_heading();  // a comment that names the columns

class RouteTable {
 public:
  // The lines of `origin` alone. Throws UserError (refused) that names `file` and the line where a line does not fit,
  // and where no line is of this origin.
  RouteTable(std::string_view text, std::string_view file, const RouteOrigin& origin);

  // Times of the case nearest to a message of so many bytes in one piece, by the ratio of the bytes; nothing where all
  // cases of the class differ by more than a factor of four.
  std::optional<RouteTimes> of_message(Near near, std::int64_t bytes) const;

  const std::vector<RouteLine>& lines() const { return lines_; }  // medians, one of each case

 private:
  std::vector<RouteLine> lines_;
};

// The table that this process goes by (`--routes`); null: none. `use_routes` is collective: the first rank reads the
// file.
const RouteTable* routes_in_use();
void use_routes(MPI_Comm comm, const std::string& file);
void use_routes(std::optional<RouteTable> table);

}  // namespace tenken
