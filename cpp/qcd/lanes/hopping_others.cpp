// The hopping term for the vectors that hopping_double.cpp and hopping_single.cpp leave out: narrow ones, for small
// blocks, and those of wider machines, for tests. Compiled with few optimizations (CMakeLists.txt).
#include "qcd/lanes/hopping.hpp"
#include "qcd/lanes/hopping.inl.hpp"

namespace tenken::qcd {

template <class Real, int width>
using Made = std::unique_ptr<Hopping<Real, width>>;

// The n-th power of two that is neither the width of this build nor half of it.
template <class Real, int n>
constexpr int other = 1 << n < native_width<Real> / 2 ? 1 << n : 4 << n;

template class Hopping<double, other<double, 0>>;
template class Hopping<double, other<double, 1>>;
template class Hopping<float, other<float, 0>>;
template class Hopping<float, other<float, 1>>;
template class Hopping<float, other<float, 2>>;

template Made<double, other<double, 0>> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int,
                                                     const HoppingOptions&);
template Made<double, other<double, 1>> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int,
                                                     const HoppingOptions&);
template Made<float, other<float, 0>> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int,
                                                   const HoppingOptions&);
template Made<float, other<float, 1>> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int,
                                                   const HoppingOptions&);
template Made<float, other<float, 2>> make_hopping(MPI_Comm, const Lanes&, const ExtendedLinks&, int,
                                                   const HoppingOptions&);

}  // namespace tenken::qcd
