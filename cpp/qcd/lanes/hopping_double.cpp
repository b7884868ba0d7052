#include "qcd/lanes/hopping.hpp"
#include "qcd/lanes/hopping.inl.hpp"

namespace tenken::qcd {

template <int width>
using Made = std::unique_ptr<Hopping<double, width>>;

constexpr int whole = native_width<double>;
constexpr int half = whole / 2;

template class Hopping<double, whole>;
template class Hopping<double, half>;

template Made<whole> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int, const HoppingOptions&);
template Made<half> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int, const HoppingOptions&);

}  // namespace tenken::qcd
