// The flow as VTU files for ParaView and others (VTK File Formats, XML, unstructured grid, text): a piece a rank, and a
// .pvtu file that lists them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "mesh.hpp"

namespace les {

struct FlowFields {
  std::function<std::array<double, 3>(std::int64_t node)> velocity;
  std::function<double(std::int64_t element)> pressure;
};

// NAME_RANK.vtu, and NAME.pvtu by rank 0. Nodes at periodic ends are written once for each element, so that no element
// is drawn across the box. Throws UserError (impossible) naming the file that cannot be written.
void write_vtu(const std::string& name, int rank, int ranks, const Box& box, const Mesh& mesh,
               const FlowFields& fields);

}  // namespace les
