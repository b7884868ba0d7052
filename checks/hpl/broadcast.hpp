// A panel on its way along the rows of the grid, while other work goes on.
#pragma once

#include <vector>

#include "grid.hpp"
#include "measure/section.hpp"
#include "panel.hpp"

namespace hpl {

// ring: each process of a row passes the panel on to its right neighbour. tree: MPI's own broadcast. spread: the panel
// is cut into a piece a process; the root deals the pieces out, then they go round the row, each process passing on the
// piece that it got last (the long broadcast of A. Petitet, R. C. Whaley, J. Dongarra, A. Cleary, HPL 2.3).
enum class Route { ring, tree, spread };

class Broadcast {
 public:
  // Broadcasts of one row that are on their way together have different numbers, from 0 on.
  Broadcast(const Grid& grid, Route route, int number) : grid_(grid), route_(route), number_(number) {}
  Broadcast(const Broadcast&) = delete;
  Broadcast& operator=(const Broadcast&) = delete;

  void start(Panel& panel, int root);  // collective over the row; `root` is a column of the grid and has the panel
  void progress();                     // to be called now and then until finish()
  void finish();                       // nothing happens where nothing is on its way

 private:
  void pass_on();
  void post_step();
  void test();
  int place() const { return (grid_.column + grid_.q - root_) % grid_.q; }  // in the row, counted from the root
  int column_at(int place) const { return (place + root_) % grid_.q; }
  int begin_of(int piece) const;
  void send_piece(int piece, int to, int tag);
  void receive_piece(int piece, int from, int tag);

  const Grid& grid_;
  Route route_;
  int number_;
  Panel* panel_ = nullptr;
  int root_ = 0;
  int step_ = 0;                       // of spread: the step whose requests are posted
  std::vector<MPI_Request> requests_;  // of spread: of that step
  std::vector<MPI_Request> dealt_;     // of spread: pieces that the root deals out
  MPI_Request incoming_ = MPI_REQUEST_NULL, outgoing_ = MPI_REQUEST_NULL;
};

// Bytes received and sent by this process, and messages sent. MPI's own broadcast counts as a ring.
tenken::Work broadcast_work(const Grid& grid, Route route, const Panel& panel, int root);

}  // namespace hpl
