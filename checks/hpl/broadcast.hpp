// A panel on its way along the rows of the grid, while other work goes on.
#pragma once

#include "grid.hpp"
#include "panel.hpp"

namespace hpl {

enum class Route { ring, tree };

// Each process of a row passes the panel on to its right neighbour (ring), or MPI's own tree carries it.
class Broadcast {
 public:
  Broadcast(const Grid& grid, Route route) : grid_(grid), route_(route) {}
  Broadcast(const Broadcast&) = delete;
  Broadcast& operator=(const Broadcast&) = delete;

  void start(Panel& panel, int root);  // collective over the row; `root` is a column of the grid and has the panel
  void progress();                     // to be called now and then until finish()
  void finish();
  std::int64_t bytes_received() const { return received_; }  // of the panel started last

 private:
  void pass_on();

  const Grid& grid_;
  Route route_;
  Panel* panel_ = nullptr;
  int root_ = 0;
  std::int64_t received_ = 0;
  MPI_Request incoming_ = MPI_REQUEST_NULL, outgoing_ = MPI_REQUEST_NULL;
};

}  // namespace hpl
