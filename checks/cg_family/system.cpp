#include "system.hpp"

#include <algorithm>

#include "numerics/poisson.hpp"

namespace tenken::cg_family {

namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

Coloured matrix_of(const Partition<3>& block, int colours) {
  const Csr<double> a = poisson_box(block.cells(), block.offset(), block.extents());
  return make_coloured(a, cm_rcm(a, colours));
}

std::vector<std::int32_t> places_of(const Coloured& a) {
  std::vector<std::int32_t> places(static_cast<std::size_t>(a.rows));
  for (std::int64_t place = 0; place < a.padded; ++place) {
    const std::int32_t row = a.row[static_cast<std::size_t>(place)];
    if (row >= 0) places[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(place);
  }
  return places;
}

// What is sent, by place in a vector; what arrives, by place in the halo.
Lists lists_of(const Numbering<3>& numbering, const std::vector<std::int32_t>& places, std::int64_t padded) {
  Lists lists = numbering.lists();
  const auto own = static_cast<std::int32_t>(places.size());
  for (Neighbour& one : lists.neighbours) {
    for (std::int32_t& item : one.send) item = places[static_cast<std::size_t>(item)];
    for (std::int32_t& item : one.receive) item -= own;
  }
  lists.items = std::max(padded, numbering.items() - own);
  return lists;
}

Buffer<double> inverse_diagonal(const Coloured& a) {
  Buffer<double> inverse = make_vector(a, "diagonal of a preconditioner");
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] = 1 / a.diagonal[i];
  return inverse;
}

}  // namespace

System::System(MPI_Comm comm, const Index<3>& cells, const Index<3>& grid, int colours, Preconditioner preconditioner,
               int threads, const Faults& faults)
    : comm_(comm),
      block_(cells, grid, {false, false, false}, rank_of(comm)),
      numbering_(block_, Reach::faces),
      a_(matrix_of(block_, colours)),
      shares_(a_, threads),
      preconditioner_(preconditioner),
      places_(places_of(a_)),
      couplings_(couplings_of(block_, numbering_, places_)),
      halo_(static_cast<std::size_t>(numbering_.items() - block_.volume()), Pages::any, "values of other ranks"),
      inverse_(inverse_diagonal(a_)),
      exchange_(comm, lists_of(numbering_, places_, a_.padded), {{sizeof(double)}}),
      stale_(faults.stale_halo),
      unsymmetric_(faults.unsymmetric_preconditioner) {}

double System::bytes(const Index<3>& extents) {
  // The assembled block (7 entries), its order, two triangles, diagonals and places.
  constexpr double bytes_a_row = 7 * 12 + 8 + 3 * 8 + 6 * 12 + 4 * 8 + 4;
  return bytes_a_row * static_cast<double>(product(extents)) + Numbering<3>::bytes(extents, sizeof(double));
}

std::vector<System::Coupling> System::couplings_of(const Partition<3>& block, const Numbering<3>& numbering,
                                                   const std::vector<std::int32_t>& places) {
  const auto own = static_cast<std::int32_t>(block.volume());
  std::vector<Coupling> couplings;
  for (std::int32_t cell = 0; cell < own; ++cell) {
    const Index<3> at = coordinates(cell, block.extents());
    for (std::size_t d = 0; d < 3; ++d) {
      for (const int step : {-1, 1}) {
        Index<3> other = at;
        other[d] += step;
        if (other[d] >= 0 && other[d] < block.extents()[d]) continue;
        const int global = block.offset()[d] + other[d];
        if (global < 0 || global >= block.cells()[d]) continue;
        couplings.push_back({places[static_cast<std::size_t>(cell)], numbering.item(other) - own});
      }
    }
  }
  std::stable_sort(couplings.begin(), couplings.end(),
                   [](const Coupling& a, const Coupling& b) { return a.place < b.place; });
  return couplings;
}

Index<3> System::cell(std::int64_t place) const {
  Index<3> at = coordinates(a_.row[static_cast<std::size_t>(place)], block_.extents());
  for (std::size_t d = 0; d < 3; ++d) at[d] += block_.offset()[d];
  return at;
}

void System::start_halo(const double* x) {
  exchange_.pack(0, x);
  exchange_.start();
}

void System::multiply_inside(int thread, const double* x, double* y) const {
  for (int colour = 0; colour < a_.colours(); ++colour) multiply(shares_.own(thread, colour), a_, x, y);
}

void System::finish_halo() {
  exchange_.wait_incoming();
  if (!stale_ || fresh_) exchange_.unpack(0, halo_.data());
  fresh_ = false;
  exchange_.wait_outgoing();
}

void System::add_halo(int thread, double* y) const {
  const auto by_place = [](const Coupling& one, std::int64_t place) { return one.place < place; };
  shares_.over_rows(thread, [&](Range rows) {
    auto one = std::lower_bound(couplings_.begin(), couplings_.end(), rows.first, by_place);
    for (; one != couplings_.end() && one->place < rows.last; ++one) {
      y[one->place] -= halo_[static_cast<std::size_t>(one->item)];
    }
  });
}

void System::point(int thread, const double* r, double* z) const {
  const double* const inverse = inverse_.data();
  shares_.over_rows(thread, [&](Range rows) {
#pragma omp simd
    for (std::int64_t i = rows.first; i < rows.last; ++i) z[i] = r[i] * inverse[i];
  });
}

void System::forward(int thread, int colour, const double* r, double* z) const {
  tenken::forward(shares_.own(thread, colour), a_, r, z);
}

void System::backward(int thread, int colour, double* z) const { tenken::backward(shares_.own(thread, colour), a_, z); }

void System::add_fault(int thread, const double* r, double* z) const {
  if (thread == 0) z[0] += inverse_[0] * r[places_.back() == 0 ? places_.front() : places_.back()];
}

}  // namespace tenken::cg_family
