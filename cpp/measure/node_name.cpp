#include "measure/node_name.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tenken {

namespace {
constexpr std::size_t longest = 256;
using Name = std::array<char, longest>;
}  // namespace

std::string node_name(MPI_Comm world, MPI_Comm node, const std::string& host) {
  int rank = 0;
  int node_rank = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_rank(node, &node_rank);
  MPI_Comm firsts = MPI_COMM_NULL;
  MPI_Comm_split(world, node_rank == 0 ? 0 : MPI_UNDEFINED, rank, &firsts);
  int number = 1;
  if (firsts != MPI_COMM_NULL) {
    int nodes = 0;
    int mine = 0;
    MPI_Comm_size(firsts, &nodes);
    MPI_Comm_rank(firsts, &mine);
    Name own{};
    host.copy(own.data(), longest - 1);
    std::vector<Name> all(static_cast<std::size_t>(nodes));
    MPI_Allgather(own.data(), longest, MPI_CHAR, all.data(), longest, MPI_CHAR, firsts);
    number += static_cast<int>(std::count(all.begin(), all.begin() + mine, own));
    MPI_Comm_free(&firsts);
  }
  MPI_Bcast(&number, 1, MPI_INT, 0, node);
  return number == 1 ? host : host + "#" + std::to_string(number);
}

}  // namespace tenken
