#include "qcd/lanes/hopping.hpp"
#include "qcd/lanes/hopping.inl.hpp"

namespace tenken::qcd {

template <int width>
using Made = std::unique_ptr<Hopping<float, width>>;

constexpr int whole = native_width<float>;
constexpr int half = whole / 2;

template class Hopping<float, whole>;
template class Hopping<float, half>;

template Made<whole> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int, const HoppingOptions&);
template Made<half> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int, const HoppingOptions&);

}  // namespace tenken::qcd
