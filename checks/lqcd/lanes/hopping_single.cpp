#include "lanes/hopping.inl.hpp"

namespace tenken::lqcd {

template class Hopping<float, native_width<float>, 3>;
template class Hopping<float, native_width<float>, 2>;

}  // namespace tenken::lqcd
