// The updates of the variant `cuda`: swaps by two kernels, triangle and product by cuBLAS. Compiled by a C++ compiler
// the same source works in loops on the host (gpu/form.hpp).
#include "device/device.hpp"
#include "gpu/blas.hpp"
#include "gpu/buffers.hpp"
#include "gpu/launch.hpp"
#include "gpu/stopwatch.hpp"

namespace hpl::device::TENKEN_GPU_FORM {

namespace {

namespace gpu = tenken::gpu;

// A thread takes the rows of a column one after the other: neighbours write, or read, neighbouring words.
struct Gather {
  static constexpr int threads = 256;
  const int* rows;
  int count;
  std::int64_t elements;  // count x columns
  const double* matrix;   // from the first column on
  std::int64_t stride;
  double* to;

  TENKEN_DEVICE void operator()(gpu::At at) const {
    for (std::int64_t i = at.first(); i < elements; i += at.stride())
      to[i] = matrix[i / count * stride + rows[i % count]];
  }
};

struct Scatter {
  static constexpr int threads = 256;
  const int* rows;
  int count;
  std::int64_t elements;
  const double* from;
  double* matrix;
  std::int64_t stride;

  TENKEN_DEVICE void operator()(gpu::At at) const {
    for (std::int64_t i = at.first(); i < elements; i += at.stride())
      matrix[i / count * stride + rows[i % count]] = from[i];
  }
};

// The rows of U, which stand together.
struct Store {
  static constexpr int threads = 256;
  int first_row;
  int count;
  std::int64_t elements;
  const double* from;
  double* matrix;
  std::int64_t stride;

  TENKEN_DEVICE void operator()(gpu::At at) const {
    for (std::int64_t i = at.first(); i < elements; i += at.stride())
      matrix[i / count * stride + first_row + i % count] = from[i];
  }
};

// A panel on the card, and the host memory that it is copied from.
struct Slot {
  Shape shape;
  gpu::CardBuffer<double> panel;
  gpu::PinnedBuffer<double> from;
  gpu::CardBuffer<int> rows;
  gpu::PinnedBuffer<int> rows_from;
  gpu::Event copied;

  const double* top() const { return panel.data(); }
  const double* lower() const { return panel.data() + size(shape.width) * size(shape.width) + shape.above; }
  const int* give() const { return rows.data(); }
  const int* get() const { return rows.data() + shape.give; }
  const int* away() const { return rows.data() + shape.give + shape.get; }

  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
};

std::size_t product(std::ptrdiff_t a, std::ptrdiff_t b) { return static_cast<std::size_t>(a * b); }

class Card final : public Device {
 public:
  explicit Card(int card) {
    gpu::use(card);
    blas_ = std::make_unique<gpu::Blas>();
    ready_ = std::make_unique<gpu::Event>();
  }

  gpu::Facts facts() const override { return gpu::facts(); }
  gpu::SectionCost section_cost() override { return gpu::section_cost(); }
  std::string library() const override { return blas_->name(); }

  void make_room(const Room& room) override {
    room_ = room;
    slots_.clear();
    matrix_ = gpu::CardBuffer<double>();
    matrix_ = gpu::CardBuffer<double>(product(room.stride, room.columns), "the matrix of hpl");
    u_ = gpu::CardBuffer<double>(product(room.nb, room.columns), "rows of U of hpl");
    moved_ = gpu::CardBuffer<double>(product(room.nb, room.columns), "rows that are swapped of hpl");
    arrived_ = gpu::PinnedBuffer<double>(product(room.stride, room.nb < room.columns ? room.nb : room.columns),
                                         "columns of hpl that are read");
    const std::size_t panel = product(room.nb, room.nb) + product(room.nb, room.rows);
    const std::size_t rows = product(3, room.nb);
    for (int i = 0; i < room.slots; ++i) {
      slots_.push_back(std::make_unique<Slot>());
      slots_.back()->panel = gpu::CardBuffer<double>(panel, "a panel of hpl");
      slots_.back()->from = gpu::PinnedBuffer<double>(panel, "a panel of hpl");
      slots_.back()->rows = gpu::CardBuffer<int>(rows, "rows of a panel of hpl");
      slots_.back()->rows_from = gpu::PinnedBuffer<int>(rows, "rows of a panel of hpl");
      slots_.back()->copied.record();
    }
  }

  void load(const double* matrix) override { matrix_.from_host(matrix); }

  double* panel_of(int slot) override {
    slots_[Slot::size(slot)]->copied.wait_for();
    return slots_[Slot::size(slot)]->from.data();
  }
  int* rows_of(int slot) override { return slots_[Slot::size(slot)]->rows_from.data(); }

  void set(int slot, const Shape& shape) override {
    Slot& here = *slots_[Slot::size(slot)];
    here.shape = shape;
    const std::size_t doubles = product(shape.width, shape.width + shape.rows);
    const std::size_t rows = Slot::size(shape.give + shape.get + shape.away);
    gpu::copy_later(here.panel.data(), here.from.data(), doubles * sizeof(double), gpu::Way::to_card);
    gpu::copy_later(here.rows.data(), here.rows_from.data(), rows * sizeof(int), gpu::Way::to_card);
    here.copied.record();
  }

  void swap_alone(int slot, int first, int columns) override {
    const Slot& here = *slots_[Slot::size(slot)];
    gpu::Stopwatch& watch = start(Part::swap);
    gather(here.give(), here.shape.give, first, columns, u_.data());
    gather(here.away(), here.shape.away, first, columns, moved_.data());
    scatter(here.get(), here.shape.get, first, columns, moved_.data());
    watch.stop();
  }

  void give(int slot, int first, int columns, double* to) override {
    const Slot& here = *slots_[Slot::size(slot)];
    read_rows(here.give(), here.shape.give, first, columns, to);
  }
  void send_away(int slot, int from, int rows, int first, int columns, double* to) override {
    const Slot& here = *slots_[Slot::size(slot)];
    read_rows(here.away() + from, rows, first, columns, to);
  }
  void receive(int slot, int first, int columns, const double* u, const double* arrived) override {
    const Slot& here = *slots_[Slot::size(slot)];
    gpu::copy(u_.data(), u, product(here.shape.width, columns) * sizeof(double), gpu::Way::to_card);
    gpu::copy(moved_.data(), arrived, product(here.shape.get, columns) * sizeof(double), gpu::Way::to_card);
    scatter(here.get(), here.shape.get, first, columns, moved_.data());
  }

  void update(int slot, int first, int columns) override {
    const Slot& here = *slots_[Slot::size(slot)];
    const Shape& shape = here.shape;
    gpu::Stopwatch& watch = start(Part::update);
    blas_->solve_unit_lower(shape.width, columns, here.top(), shape.width, u_.data(), shape.width);
    if (shape.above > 0) {
      const std::int64_t elements = std::int64_t{1} * shape.width * columns;
      const Store store{shape.first_row, shape.width, elements, u_.data(), column(first), room_.stride};
      gpu::launch(blocks<Store>(elements), store);
    }
    const int rows = shape.rows - shape.above;
    if (rows > 0)
      blas_->product(rows, columns, shape.width, -1, here.lower(), shape.rows, u_.data(), shape.width, 1,
                     column(first) + shape.first_row + shape.above, static_cast<int>(room_.stride));
    watch.stop();
  }

  void read_later(int first, int columns) override {
    gpu::copy_later(arrived_.data(), column(first), product(room_.stride, columns) * sizeof(double), gpu::Way::to_host);
    ready_->record();
  }
  const double* arrived() override {
    ready_->wait_for();
    return arrived_.data();
  }

  std::vector<Timed> times() override {
    gpu::wait();
    std::vector<Timed> all;
    for (std::size_t i = 0; i < parts_.size(); ++i) all.push_back({parts_[i], watches_[i]->ns()});
    parts_.clear();
    return all;
  }

 private:
  double* column(int number) { return matrix_.data() + number * room_.stride; }

  template <class Kernel>
  static int blocks(std::int64_t elements) {
    constexpr int most = 8192;
    return elements > std::int64_t{most} * Kernel::threads ? most : gpu::blocks_for<Kernel>(elements);
  }
  void gather(const int* rows, int count, int first, int columns, double* to) {
    const std::int64_t elements = std::int64_t{1} * count * columns;
    gpu::launch(blocks<Gather>(elements), Gather{rows, count, elements, column(first), room_.stride, to});
  }
  void scatter(const int* rows, int count, int first, int columns, const double* from) {
    const std::int64_t elements = std::int64_t{1} * count * columns;
    gpu::launch(blocks<Scatter>(elements), Scatter{rows, count, elements, from, column(first), room_.stride});
  }
  void read_rows(const int* rows, int count, int first, int columns, double* to) {
    gather(rows, count, first, columns, moved_.data());
    gpu::copy(to, moved_.data(), product(count, columns) * sizeof(double), gpu::Way::to_host);
  }

  // Watches are made once and used again by the next solve.
  gpu::Stopwatch& start(Part part) {
    if (watches_.size() == parts_.size()) watches_.push_back(std::make_unique<gpu::Stopwatch>());
    parts_.push_back(part);
    watches_[parts_.size() - 1]->start();
    return *watches_[parts_.size() - 1];
  }

  Room room_{};
  gpu::CardBuffer<double> matrix_, u_, moved_;
  gpu::PinnedBuffer<double> arrived_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Part> parts_;
  std::vector<std::unique_ptr<gpu::Stopwatch>> watches_;
  std::unique_ptr<gpu::Blas> blas_;
  std::unique_ptr<gpu::Event> ready_;
};

}  // namespace

std::vector<gpu::Facts> cards() { return gpu::cards(); }
std::unique_ptr<Device> make_device(int card) { return std::make_unique<Card>(card); }

}  // namespace hpl::device::TENKEN_GPU_FORM
