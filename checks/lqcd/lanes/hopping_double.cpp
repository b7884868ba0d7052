#include "lanes/hopping.inl.hpp"

namespace tenken::lqcd {

template class Hopping<double, native_width<double>, 3>;
template class Hopping<double, native_width<double>, 2>;

}  // namespace tenken::lqcd
