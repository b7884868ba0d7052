#include "qcd/gauge/extended.hpp"

#include <algorithm>

namespace tenken::qcd {

namespace {

constexpr int reals_of_a_link = sizeof(Link) / sizeof(double);

// Messages are counted in links, so that the largest faces fit MPI's count.
class LinkType {
 public:
  LinkType() {
    MPI_Type_contiguous(reals_of_a_link, MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  ~LinkType() { MPI_Type_free(&type_); }
  LinkType(const LinkType&) = delete;
  LinkType& operator=(const LinkType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
};

}  // namespace

double ExtendedLinks::bytes(const Index4& extents) {
  double bytes = directions * sizeof(Link);
  for (const int extent : extents) bytes *= extent + 2;
  return bytes;
}

ExtendedLinks::ExtendedLinks(MPI_Comm comm, const Geometry& geometry, const Links& links)
    : comm_(comm), geometry_(geometry) {
  const Index4& extents = geometry.block.extents();
  std::int64_t volume = 1;
  for (int d = 0; d < dimensions; ++d) {
    strides_[d] = volume;
    volume *= extents[d] + 2;
  }
  links_ = Links(static_cast<std::size_t>(volume) * directions, Pages::huge, "the gauge field with its halo");
#pragma omp parallel for schedule(static)
  for (int site = 0; site < geometry.sites; ++site) {
    std::copy_n(&links[static_cast<std::size_t>(directions) * site], directions,
                this->site(coordinates(site, extents)));
  }
  for (int d = 0; d < dimensions; ++d) {
    sent_[d] = {layer(d, 0), layer(d, extents[d] - 1)};
    filled_[d] = {layer(d, -1), layer(d, extents[d])};
  }
  exchange();
}

const Link& ExtendedLinks::around(const Index4& x, int mu) const {
  const Decomposition& block = geometry_.block;
  const Index4 offset = block.offset();
  Index4 inside;
  for (int d = 0; d < dimensions; ++d) {
    inside[d] = x[d] - offset[d];
    if (inside[d] > block.extents()[d]) inside[d] -= block.lattice()[d];
    if (inside[d] < -1) inside[d] += block.lattice()[d];
  }
  return at(inside, mu);
}

void ExtendedLinks::copy_to(Links& links) const {
#pragma omp parallel for schedule(static)
  for (int site = 0; site < geometry_.sites; ++site) {
    std::copy_n(&at(coordinates(site, geometry_.block.extents()), 0), directions,
                &links[static_cast<std::size_t>(directions) * site]);
  }
}

// Dimension after dimension: a layer includes the halo of the earlier dimensions, so that corners travel in as many
// steps as they lie away.
ExtendedLinks::Layer ExtendedLinks::layer(int dimension, int at) const {
  const Decomposition& block = geometry_.block;
  const Index4 offset = block.offset();
  Index4 low{};
  Index4 extents = block.extents();
  for (int d = 0; d < dimension; ++d) {
    low[d] = -1;
    extents[d] += 2;
  }
  low[dimension] = at;
  extents[dimension] = 1;
  std::vector<std::int64_t> sites[2];
  for (std::int64_t n = 0; n < product(extents); ++n) {
    Index4 x = coordinates(n, extents);
    int parity = 0;
    std::int64_t site = 0;
    for (int d = 0; d < dimensions; ++d) {
      x[d] += low[d];
      site += (x[d] + 1) * strides_[d];
      parity += (x[d] + offset[d] + block.lattice()[d]) % block.lattice()[d];
    }
    sites[parity % 2].push_back(site);
  }
  Layer layer{std::move(sites[0]), 0};
  layer.even = layer.sites.size();
  layer.sites.insert(layer.sites.end(), sites[1].begin(), sites[1].end());
  return layer;
}

void ExtendedLinks::exchange() {
  exchange([](const Layer& layer) { return std::pair<std::size_t, std::size_t>(0, layer.sites.size()); }, 0,
           directions);
}

void ExtendedLinks::exchange(int mu, int parity) {
  const auto range = [&](const Layer& layer) {
    return parity == 0 ? std::pair<std::size_t, std::size_t>(0, layer.even)
                       : std::pair<std::size_t, std::size_t>(layer.even, layer.sites.size());
  };
  exchange(range, mu, mu + 1);
}

template <class Range>
void ExtendedLinks::exchange(Range range, int first_mu, int last_mu) {
  const LinkType type;
  const auto count = static_cast<std::size_t>(last_mu - first_mu);
  std::vector<Link> outgoing;
  std::vector<Link> incoming;
  for (int d = 0; d < dimensions; ++d) {
    for (const Side side : {Side::lower, Side::upper}) {
      // What leaves at one side comes in at the other.
      const Side other = side == Side::lower ? Side::upper : Side::lower;
      const Layer& from = sent_[d][static_cast<std::size_t>(side)];
      const Layer& to = filled_[d][static_cast<std::size_t>(other)];
      const std::pair<std::size_t, std::size_t> sent = range(from), filled = range(to);
      outgoing.resize((sent.second - sent.first) * count);
      incoming.resize((filled.second - filled.first) * count);
#pragma omp parallel for schedule(static)
      for (std::size_t i = sent.first; i < sent.second; ++i) {
        std::copy_n(&links_[directions * from.sites[i] + first_mu], count, &outgoing[(i - sent.first) * count]);
      }
      if (geometry_.block.divided(d)) {
        MPI_Sendrecv(outgoing.data(), static_cast<int>(outgoing.size()), type.get(), geometry_.block.neighbour(d, side),
                     d, incoming.data(), static_cast<int>(incoming.size()), type.get(),
                     geometry_.block.neighbour(d, other), d, comm_, MPI_STATUS_IGNORE);
      } else {
        incoming.swap(outgoing);
      }
#pragma omp parallel for schedule(static)
      for (std::size_t i = filled.first; i < filled.second; ++i) {
        std::copy_n(&incoming[(i - filled.first) * count], count, &links_[directions * to.sites[i] + first_mu]);
      }
    }
  }
}

}  // namespace tenken::qcd
