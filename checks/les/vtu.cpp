#include "vtu.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

namespace les {

using tenken::corners;

namespace {

std::ofstream opened(const std::string& file) {
  std::ofstream out(file);
  if (!out) tenken::impossible("--save: " + file + " cannot be written: " + std::strerror(errno));
  out.precision(9);
  out << "<?xml version=\"1.0\"?>\n";
  return out;
}

void close(std::ofstream& out, const std::string& file) {
  out.close();
  if (!out) tenken::impossible("--save: " + file + " cannot be written whole; is the file system full?");
}

std::string piece(const std::string& name, int rank) { return name + "_" + std::to_string(rank) + ".vtu"; }

// VTK's corners of a hexahedron: around the lower face, then around the upper face.
constexpr std::array<int, corners> vtk_corner{0, 1, 3, 2, 4, 5, 7, 6};

}  // namespace

void write_vtu(const std::string& name, int rank, int ranks, const Box& box, const Mesh& mesh,
               const FlowFields& fields) {
  const std::string file = piece(name, rank);
  std::ofstream out = opened(file);
  const std::int64_t points = mesh.elements() * corners;
  out << "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"" << points
      << "\" NumberOfCells=\"" << mesh.elements() << "\">\n";
  const auto array = [&](const char* type, const char* of, int components, const auto& values) {
    out << "<DataArray type=\"" << type << "\" Name=\"" << of << "\" NumberOfComponents=\"" << components
        << "\" format=\"ascii\">\n";
    values();
    out << "</DataArray>\n";
  };
  const auto for_corners = [&](const auto& use) {
    for (std::int64_t e = 0; e < mesh.elements(); ++e) {
      for (const int a : vtk_corner) use(e, a);
    }
  };
  out << "<PointData>\n";
  array("Float32", "velocity", 3, [&] {
    for_corners([&](std::int64_t e, int a) {
      const auto v = fields.velocity(mesh.at(e, a));
      out << v[0] << ' ' << v[1] << ' ' << v[2] << '\n';
    });
  });
  out << "</PointData>\n<CellData>\n";
  array("Float32", "pressure", 1, [&] {
    for (std::int64_t e = 0; e < mesh.elements(); ++e) out << fields.pressure(e) << '\n';
  });
  out << "</CellData>\n<Points>\n";
  array("Float32", "points", 3, [&] {
    for_corners([&](std::int64_t e, int a) {
      const Cells element = tenken::coordinates<3>(mesh.element[static_cast<std::size_t>(e)], box.cells);
      const tenken::Point at = box.place(box.node_of(element, a));
      out << at[0] << ' ' << at[1] << ' ' << at[2] << '\n';
    });
  });
  out << "</Points>\n<Cells>\n";
  array("Int64", "connectivity", 1, [&] {
    for (std::int64_t n = 0; n < points; ++n) out << n << (n % corners == corners - 1 ? '\n' : ' ');
  });
  array("Int64", "offsets", 1, [&] {
    for (std::int64_t e = 1; e <= mesh.elements(); ++e) out << e * corners << '\n';
  });
  array("UInt8", "types", 1, [&] {
    for (std::int64_t e = 0; e < mesh.elements(); ++e) out << "12\n";
  });
  out << "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  close(out, file);
  if (rank != 0) return;

  const std::string list = name + ".pvtu";
  std::ofstream all = opened(list);
  all << "<VTKFile type=\"PUnstructuredGrid\" version=\"0.1\">\n<PUnstructuredGrid GhostLevel=\"0\">\n"
         "<PPointData><PDataArray type=\"Float32\" Name=\"velocity\" NumberOfComponents=\"3\"/></PPointData>\n"
         "<PCellData><PDataArray type=\"Float32\" Name=\"pressure\" NumberOfComponents=\"1\"/></PCellData>\n"
         "<PPoints><PDataArray type=\"Float32\" Name=\"points\" NumberOfComponents=\"3\"/></PPoints>\n";
  const std::string last = std::filesystem::path(name).filename().string();
  for (int one = 0; one < ranks; ++one) all << "<Piece Source=\"" << piece(last, one) << "\"/>\n";
  all << "</PUnstructuredGrid>\n</VTKFile>\n";
  close(all, list);
}

}  // namespace les
