#include "places.hpp"

#include "base/processor_place.hpp"

namespace core_pingpong {

std::string place_of(const tenken::Tree& tree, int cpu) {
  const tenken::ProcessorPlace at = tenken::place_of_processor(tree, cpu);
  return std::to_string(at.socket) + "." + std::to_string(at.cache) + "." + std::to_string(at.core) + "." +
         std::to_string(at.cpu);
}

}  // namespace core_pingpong
