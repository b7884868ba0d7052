// The matrix of this process in the memory of a card, and what the elimination does there to the columns right of a
// panel. No library of a card is named here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/section_cost.hpp"

namespace hpl::device {

struct Room {
  int rows, columns;      // of this process
  std::ptrdiff_t stride;  // doubles from one column to the next, on the card and on the host
  int nb;                 // columns of a panel, at most
  int slots;              // panels at a time
};

// A panel as the updates need it. All rows are local rows of the matrix.
struct Shape {
  int width = 0;
  int first_row = 0;                // of the rows of the panel
  int rows = 0;                     // of its lower part, the top rows included where they are here
  int above = 0;                    // width where the top rows are here, else 0
  int give = 0, get = 0, away = 0;  // rows that this process gives to U, that it gets, and that it sends away
};

enum class Part { swap, update };

struct Timed {
  Part part;
  double ns;  // on the card
};

// Calls only queue work where their comment does not say that they wait. Errors are UserErrors with the sentence of the
// card.
class Device {
 public:
  virtual ~Device() = default;
  virtual tenken::gpu::Facts facts() const = 0;
  virtual tenken::gpu::SectionCost section_cost() = 0;  // measured by this call; waits
  virtual std::string library() const = 0;              // that multiplies: name and version

  virtual void make_room(const Room& room) = 0;
  virtual void load(const double* matrix) = 0;  // waits

  // Pinned memory for a panel of this slot, free to write: first width x width of its top, then rows x width below,
  // both by columns. Then for its rows: those to give, to get and to send away, one after the other. Waits for the last
  // set() of this slot.
  virtual double* panel_of(int slot) = 0;
  virtual int* rows_of(int slot) = 0;
  virtual void set(int slot, const Shape& shape) = 0;

  // Of the panel of this slot, in columns first .. first+columns-1. swap_alone: the rows to give become U, and the rows
  // to send away come to the rows to get. Between processes they pass the host: give() and send_away() wait and write
  // rows x columns by columns, send_away() those from row `from` of the list on; receive() takes U, width x columns,
  // and the rows that arrived, and waits.
  virtual void swap_alone(int slot, int first, int columns) = 0;
  virtual void give(int slot, int first, int columns, double* to) = 0;
  virtual void send_away(int slot, int from, int rows, int first, int columns, double* to) = 0;
  virtual void receive(int slot, int first, int columns, const double* u, const double* arrived) = 0;

  // Solves for U, stores its rows where they belong, and subtracts the product of the lower part and U.
  virtual void update(int slot, int first, int columns) = 0;

  // Columns as they are after all queued work: queued, and read by arrived(), which waits. stride x columns doubles.
  virtual void read_later(int first, int columns) = 0;
  virtual const double* arrived() = 0;

  // Times of swap_alone() and update() since the last call, in their order. Waits.
  virtual std::vector<Timed> times() = 0;
};

// Both forms of kernel.cu: on a card, linked where the variant `cuda` is built, and in loops on the host, linked in
// tests. `cards`: all that this process may use.
namespace on_card {
std::vector<tenken::gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_card
namespace on_host {
std::vector<tenken::gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_host

using Form = tenken::gpu::FormOf<Device>;

}  // namespace hpl::device
