#include "pressure.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace les {

using tenken::corners;
using tenken::Range;
using tenken::Work;

Variant variant_of(std::string_view name) {
  if (name == "scatter") return Variant::scatter;
  if (name == "fused") return Variant::fused;
  return name == "assembled" ? Variant::assembled : Variant::gather;
}

namespace {

template <class Real>
constexpr Work::Precision precision = sizeof(Real) == 4 ? Work::Precision::single : Work::Precision::double_;

// L_ef over the nodes that both elements have.
double coupling(const Box& box, std::int64_t e, const Integrals& of_e, std::int64_t f,
                const std::map<std::int64_t, double>& inverse_mass) {
  const Integrals of_f = integrals_of(box, f);
  const Cells place_e = tenken::coordinates<3>(e, box.cells), place_f = tenken::coordinates<3>(f, box.cells);
  double sum = 0;
  for (int a = 0; a < corners; ++a) {
    const std::int64_t node = box.node_number(box.node_of(place_e, a));
    for (int b = 0; b < corners; ++b) {
      if (box.node_number(box.node_of(place_f, b)) != node) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        sum += of_e.slope[static_cast<std::size_t>(a)][c] * of_f.slope[static_cast<std::size_t>(b)][c] *
               inverse_mass.at(node);
      }
    }
  }
  return sum;
}

// Elements that have a node in common with element e, itself among them; ascending.
std::vector<std::int64_t> around(const Box& box, std::int64_t e) {
  std::set<std::int64_t> all;
  const Cells place = tenken::coordinates<3>(e, box.cells);
  for (int a = 0; a < corners; ++a) {
    for (int b = 0; b < corners; ++b) {
      Cells other;
      if (box.element_at(box.node_of(place, a), b, other)) all.insert(box.element_number(other));
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace

template <class Real>
Pressure<Real>::Pressure(MPI_Comm comm, const Box& box, const Mesh& mesh, const Elements<Real>& elements,
                         Variant variant, const Real* inverse_mass, NodeSums<Real>& sums, int rank, int ranks)
    : elements_(elements),
      variant_(variant),
      inverse_mass_(inverse_mass),
      sums_(sums),
      nodes_(mesh.nodes()),
      inverse_diagonal_(tenken::make_array<Real>(elements.slots(), "diagonal of the pressure operator")) {
  if (variant != Variant::scatter) rows_ = make_node_rows(mesh, elements);
  if (variant == Variant::fused) fused_ = std::make_unique<Fused<Real>>(mesh, elements);
  const std::int64_t length = fused_ ? fused_->length() : padded_nodes<Real>(mesh);
  for (std::size_t c = 0; c < 3; ++c) {
    buffers_[c] = tenken::make_array<Real>(length, "gradient of the pressure");
    at_nodes_[c] = buffers_[c].data();
  }
  constexpr int lanes = Elements<Real>::lanes;
  for (const std::int32_t slot : elements.slot) {
    double sum = 0;
    for (int a = 0; a < corners; ++a) {
      const std::int64_t at = std::int64_t{slot} / lanes * corners + a;
      for (int c = 0; c < 3; ++c) {
        const double slope = elements.slope.data()[(at * 3 + c) * lanes + slot % lanes];
        sum += slope * slope * inverse_mass[elements.node.data()[at * lanes + slot % lanes]];
      }
    }
    inverse_diagonal_.data()[slot] = static_cast<Real>(sum > 0 ? 1 / sum : 0);
  }
  if (variant == Variant::assembled) assemble(comm, box, mesh, rank, ranks);
}

template <class Real>
void Pressure<Real>::assemble(MPI_Comm comm, const Box& box, const Mesh& mesh, int rank, int ranks) {
  std::map<std::int64_t, double> inverse_mass;
  for (std::size_t n = 0; n < mesh.node.size(); ++n) inverse_mass[mesh.node[n]] = inverse_mass_[n];
  std::map<std::int64_t, std::int32_t> item;
  for (std::size_t e = 0; e < mesh.element.size(); ++e) item[mesh.element[e]] = elements_.slot[e];
  // Elements of others beside those of this rank, and these of this rank, by rank and number.
  std::map<int, std::pair<std::set<std::int64_t>, std::set<std::int64_t>>> beside;
  for (const std::int64_t e : mesh.element) {
    for (const std::int64_t f : around(box, e)) {
      const int owner = owner_of(box, tenken::coordinates<3>(f, box.cells), ranks);
      if (owner == rank) continue;
      beside[owner].first.insert(f);
      beside[owner].second.insert(e);
    }
  }
  tenken::Lists lists;
  lists.items = elements_.slots();
  for (const auto& [owner, sets] : beside) {
    tenken::Neighbour neighbour{owner, {}, {}};
    for (const std::int64_t e : sets.second) neighbour.send.push_back(item.at(e));
    for (const std::int64_t f : sets.first) {
      item[f] = static_cast<std::int32_t>(lists.items++);
      neighbour.receive.push_back(item.at(f));
    }
    lists.neighbours.push_back(neighbour);
  }
  others_ = lists.items - elements_.slots();
  others_pressure_ = std::make_unique<tenken::Exchange>(comm, lists, std::vector<tenken::Field>{{sizeof(Real)}});
  std::vector<std::int64_t> of_slot(static_cast<std::size_t>(elements_.slots()), -1);
  for (std::size_t e = 0; e < mesh.element.size(); ++e) {
    of_slot[static_cast<std::size_t>(elements_.slot[e])] = mesh.element[e];
  }
  const auto matrix = tenken::make_csr<Real>(
      elements_.slots(), lists.items,
      [&](std::int64_t slot) {
        const std::int64_t e = of_slot[static_cast<std::size_t>(slot)];
        return e < 0 ? 0 : static_cast<std::int64_t>(around(box, e).size());
      },
      [&](std::int64_t slot, std::int32_t* column, Real* value) {
        const std::int64_t e = of_slot[static_cast<std::size_t>(slot)];
        if (e < 0) return;
        const Integrals of_e = integrals_of(box, e);
        std::map<std::int32_t, Real> row;
        for (const std::int64_t f : around(box, e)) {
          row[item.at(f)] = static_cast<Real>(coupling(box, e, of_e, f, inverse_mass));
        }
        for (const auto& [at, of] : row) {
          *column++ = at;
          *value++ = of;
        }
      });
  assembled_ = tenken::make_sell(matrix);
}

template <class Real>
void Pressure<Real>::gradient(const Real* p, bool by_mass, const Three<Real>& g) {
  const InStep part(watch_, Phase::gradient, gradient_work());
  const Real* const scale = by_mass ? inverse_mass_ : nullptr;
  if (variant_ == Variant::scatter) {
    gradient_scatter(elements_, nodes_, p, scale, g);
  } else {
    gradient_gather(rows_, p, scale, g);
  }
}

template <class Real>
void Pressure<Real>::divergence(const Three<Real>& v, Real* d) {
  const InStep part(watch_, Phase::divergence, divergence_work());
  les::divergence(elements_, {v[0], v[1], v[2]}, d);
  if (sign_ < 0) turn(d);
}

template <class Real>
void Pressure<Real>::turn(Real* d) const {
  for (std::int64_t e = 0; e < elements_.slots(); ++e) d[e] = -d[e];
}

template <class Real>
void Pressure<Real>::operator()(Real* p, Real* to) {
  if (variant_ == Variant::assembled) {
    apply_assembled(p, to);
  } else if (variant_ == Variant::fused) {
    apply_fused(p, to);
  } else {
    gradient(p, true, at_nodes_);
    sums_(at_nodes_);
    divergence(at_nodes_, to);
  }
}

template <class Real>
void Pressure<Real>::apply_fused(const Real* p, Real* to) {
  {
    const InStep part(watch_, Phase::gradient);
    fused_->begin(p, at_nodes_);
  }
  sums_(at_nodes_);
  const InStep part(watch_, Phase::divergence, fused_work());
  fused_->finish(p, inverse_mass_, at_nodes_, to);
  if (sign_ < 0) turn(to);
}

template <class Real>
void Pressure<Real>::apply_assembled(Real* p, Real* to) {
  {
    const InStep whole(watch_, Phase::ddcomx);
    {
      const InStep part(watch_, Phase::pack, {.messages = others_pressure_->messages()});
      others_pressure_->pack(0, p);
      others_pressure_->start();
    }
    {
      const InStep part(watch_, Phase::wait);
      others_pressure_->wait_incoming();
    }
    {
      const InStep part(watch_, Phase::unpack);
      others_pressure_->unpack(0, p);
    }
    const InStep part(watch_, Phase::wait);
    others_pressure_->wait_outgoing();
  }
  const InStep part(watch_, Phase::gradient, assembled_work());
  tenken::multiply(assembled_, p, to);
}

template <class Real>
std::int64_t Pressure<Real>::stored_bytes() const {
  const auto real = static_cast<std::int64_t>(sizeof(Real));
  const std::int64_t by_node = variant_ == Variant::scatter ? 0 : nodes_ * corners * (3 * real + 4);
  return by_node + (variant_ == Variant::assembled ? assembled_.slots() * (real + 4) : 0);
}

// A node has eight elements: three products and sums each, then the scale. Read: integrals once, pressures once,
// numbers of elements or nodes where they are not runs are left out. scatter: sums of nodes are written as zeros, read
// and written.
template <class Real>
Work Pressure<Real>::gradient_work() const {
  const std::int64_t bytes = sizeof(Real), integrals = 3 * corners * bytes * elements_.count;
  const std::int64_t passes = variant_ == Variant::scatter ? 2 : 1;
  return {.flop = 6 * corners * elements_.count + 3 * nodes_,
          .bytes_read = integrals + bytes * elements_.count + bytes * nodes_ + (passes - 1) * 3 * bytes * nodes_,
          .bytes_written = passes * 3 * bytes * nodes_,
          .precision = precision<Real>};
}
template <class Real>
Work Pressure<Real>::divergence_work() const {
  const std::int64_t bytes = sizeof(Real);
  return {.flop = 6 * corners * elements_.count,
          .bytes_read = 3 * corners * bytes * elements_.count + 3 * bytes * nodes_,
          .bytes_written = bytes * elements_.count,
          .precision = precision<Real>};
}
// Integrals once, and once more in blocks at shared nodes; sums of nodes are written as zeros, and stay in a cache.
template <class Real>
Work Pressure<Real>::fused_work() const {
  const std::int64_t bytes = sizeof(Real), integrals = 3 * corners * bytes * elements_.count;
  return {.flop = 13 * corners * elements_.count,
          .bytes_read = integrals + static_cast<std::int64_t>(fused_->twice_share() * static_cast<double>(integrals)) +
                        bytes * elements_.count + 4 * bytes * nodes_,
          .bytes_written = bytes * elements_.count + 2 * 3 * bytes * nodes_,
          .precision = precision<Real>};
}
template <class Real>
Work Pressure<Real>::assembled_work() const {
  Work work = tenken::sell_work(assembled_.rows, assembled_.columns, assembled_.entries, sizeof(Real));
  work.precision = precision<Real>;
  return work;
}

template class Pressure<float>;
template class Pressure<double>;

}  // namespace les
