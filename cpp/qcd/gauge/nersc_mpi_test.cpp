#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "qcd/gauge/nersc.hpp"
#include "qcd/gauge/nersc_data.hpp"
#include "qcd/gauge/start.hpp"

using namespace tenken;
using namespace tenken::qcd;
namespace fs = std::filesystem;

namespace {

constexpr Index4 lattice = {4, 2, 6, 8};
constexpr Configuration hot{Start::hot, 0, 11};
// Any will do here: the reader leaves averages to require_averages.
constexpr double plaquette = 0.25, link_trace = -0.125;

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  int rank = 0;
  int ranks = 1;
};

std::vector<Index4> grids() {
  switch (World().ranks) {
    case 1:
      return {{1, 1, 1, 1}};
    case 2:
      return {{1, 1, 1, 2}, {2, 1, 1, 1}, {1, 2, 1, 1}};
    default:
      return {{1, 1, 1, 4}, {2, 2, 1, 1}, {2, 1, 1, 2}, {1, 1, 2, 2}};
  }
}

// A folder that all ranks know, removed at the end.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/tenken-nersc-XXXXXX";
    if (World().rank == 0) REQUIRE(mkdtemp(name) != nullptr);
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    path = name;
  }
  ~Folder() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (World().rank == 0) fs::remove_all(path);
  }
  std::string file(const std::string& name) const { return path / name; }
  fs::path path;
};

void write(const Index4& grid, const std::string& path, const NerscForm& form) {
  const Geometry geometry(lattice, grid, World().rank);
  write_nersc(MPI_COMM_WORLD, geometry, make_links(geometry, hot), plaquette, link_trace, path, nersc_text("hot"),
              form);
}

Links read(MPI_Comm comm, const Geometry& geometry, const std::string& path) {
  return read_nersc(comm, geometry, read_nersc_header(comm, path), path);
}

double difference(const Links& a, const Links& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int c = 0; c < colours; ++c) {
      for (int d = 0; d < colours; ++d) {
        worst = std::max(worst, std::abs(a[i].at[c][d].re - b[i].at[c][d].re));
        worst = std::max(worst, std::abs(a[i].at[c][d].im - b[i].at[c][d].im));
      }
    }
  }
  return worst;
}

// Rank 0 changes the file in a way of the test.
void damage(const std::string& path, const std::function<void(std::vector<char>&)>& change) {
  if (World().rank == 0) {
    std::ifstream in(path, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    change(bytes);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// What reading says; the same on all ranks.
std::string refusal(const std::string& path) {
  const Geometry geometry(lattice, grids().back(), World().rank);
  std::string said;
  try {
    read(MPI_COMM_WORLD, geometry, path);
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    said = error.what();
  }
  char first[400] = {};
  said.copy(first, sizeof first - 1);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  CHECK(said == first);
  return said;
}

void refused(const std::string& path, const std::string& words) {
  const std::string said = refusal(path);
  CHECK_MESSAGE(said.find(words) != std::string::npos, said);
  CHECK_MESSAGE(said.find(path) != std::string::npos, said);
}

}  // namespace

TEST_CASE("a configuration is read as it was written, by any other decomposition") {
  const Folder folder;
  for (const int rows : {2, 3}) {
    for (const int bytes : {4, 8}) {
      for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
        const double limit = bytes == 4 ? 1e-7 : rows == 2 ? 1e-15 : 0;
        const std::string path = folder.file("all");
        for (const Index4& writing : grids()) {
          write(writing, path, {rows, bytes, order});
          CHECK(fs::file_size(path) ==
                static_cast<std::uintmax_t>(read_nersc_header(MPI_COMM_WORLD, path).file_bytes()));
          for (const Index4& reading : grids()) {
            const Geometry geometry(lattice, reading, World().rank);
            CHECK(difference(read(MPI_COMM_WORLD, geometry, path), make_links(geometry, hot)) <= limit);
          }
          // Each rank alone, the whole lattice.
          const Geometry whole(lattice, {1, 1, 1, 1}, 0);
          CHECK(difference(read(MPI_COMM_SELF, whole, path), make_links(whole, hot)) <= limit);
        }
      }
    }
  }
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);  // no temporary left
}

TEST_CASE("a file is the same whoever wrote it") {
  const Folder folder;
  const Geometry whole(lattice, {1, 1, 1, 1}, 0);
  NerscText text;
  text.date = "2026-11-21";
  if (World().rank == 0) {
    write_nersc(MPI_COMM_SELF, whole, make_links(whole, hot), plaquette, link_trace, folder.file("one"), text, {});
  }
  const auto bytes = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  };
  for (const Index4& grid : grids()) {
    const Geometry geometry(lattice, grid, World().rank);
    write_nersc(MPI_COMM_WORLD, geometry, make_links(geometry, hot), plaquette, link_trace, folder.file("many"), text,
                {});
    CHECK(bytes(folder.file("one")) == bytes(folder.file("many")));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_CASE("an order that is not said is found by the checksum") {
  const Folder folder;
  const std::string path = folder.file("unsaid");
  for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    for (const int bytes : {4, 8}) {
      write(grids().front(), path, {3, bytes, order});
      const std::string said = "IEEE" + std::to_string(8 * bytes) + (order == ByteOrder::little ? "LITTLE" : "BIG");
      damage(path, [&](std::vector<char>& data) {
        const std::string text(data.begin(), data.end());
        const auto at = data.begin() + static_cast<std::ptrdiff_t>(text.find(said)) + 6;
        data.erase(at, at + static_cast<std::ptrdiff_t>(said.size()) - 6);
      });
      const Geometry geometry(lattice, grids().back(), World().rank);
      CHECK_FALSE(read_nersc_header(MPI_COMM_WORLD, path).form.order_said);
      CHECK(difference(read(MPI_COMM_WORLD, geometry, path), make_links(geometry, hot)) <= (bytes == 4 ? 1e-7 : 0));
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

TEST_CASE("damaged files are refused by all ranks with the same sentence") {
  const Folder folder;
  const std::string path = folder.file("bad");
  const NerscForm form{3, 8, ByteOrder::little};
  write(grids().front(), path, form);
  const NerscHeader header = read_nersc_header(MPI_COMM_WORLD, path);
  CHECK(refusal(path).empty());

  const auto anew = [&](const std::function<void(std::vector<char>&)>& change) {
    write(grids().front(), path, form);
    damage(path, change);
  };
  // Writes a link with a checksum that fits.
  const auto plant = [&](const Index4& x, int mu, const Link& link) {
    anew([&](std::vector<char>& data) {
      const auto place = header.data_begin + (position(x, lattice) * directions + mu) * form.link_bytes();
      encode_link(form, link, reinterpret_cast<std::byte*>(data.data() + place));
      const std::span<const char> links = std::span(data).subspan(static_cast<std::size_t>(header.data_begin));
      char sum[16];
      std::snprintf(sum, sizeof sum, "%08x", static_cast<unsigned>(word_sum(std::as_bytes(links), form.order)));
      const auto at = std::string(data.begin(), data.begin() + header.data_begin).find("CHECKSUM = ") + 11;
      std::memcpy(data.data() + at, sum, 8);
    });
  };
  anew([](std::vector<char>& data) { data.pop_back(); });
  refused(path, "it was cut off");
  anew([](std::vector<char>& data) { data.push_back(0); });
  refused(path, "something was added");
  anew([](std::vector<char>& data) { data.clear(); });
  refused(path, "is empty");
  anew([](std::vector<char>& data) { data.back() ^= 1; });
  refused(path, "its data are damaged");
  anew([&](std::vector<char>& data) {
    const auto at = std::string(data.begin(), data.begin() + header.data_begin).find("CHECKSUM = ") + 11;
    std::memset(data.data() + at, '0', 8);
  });
  refused(path, "was not computed by its writer");
  refused(folder.file("nowhere"), "No such file");
  refused(folder.path, "Is a directory");
  Link u = unit_link();
  u.at[0][2].im = std::numeric_limits<double>::quiet_NaN();
  plant({3, 1, 5, 6}, 2, u);
  refused(path, "the link of site 3,1,5,6 in direction z is not finite");
  u.at[0][2].im = 1e-4;
  plant({1, 0, 2, 7}, 3, u);
  refused(path, "the link of site 1,0,2,7 in direction t is not in SU(3) within 1e-05");
  u = unit_link();
  for (auto& element : u.at[1]) element = -1.0 * element;
  plant({0, 0, 0, 0}, 0, u);
  refused(path, "site 0,0,0,0 in direction x is not in SU(3)");
}

TEST_CASE("averages must be those of the header") {
  NerscHeader header;
  header.plaquette = 0.5;
  header.link_trace = 0.25;
  require_averages(header, 0.5 + 9e-6, 0.25 - 9e-6, "FILE");
  CHECK_THROWS_AS(require_averages(header, 0.5 + 1.1e-5, 0.25, "FILE"), UserError);
  CHECK_THROWS_AS(require_averages(header, 0.5, 0.25 - 1.1e-5, "FILE"), UserError);
  CHECK_THROWS_AS(require_averages(header, std::nan(""), 0.25, "FILE"), UserError);
}

TEST_CASE("what cannot be written is said, and leaves nothing behind") {
  const Folder folder;
  for (const auto& [name, words] : {std::pair{"none/file", "No such file"}, std::pair{"full", "directory"}}) {
    if (World().rank == 0) fs::create_directories(folder.file("full/inside"));
    MPI_Barrier(MPI_COMM_WORLD);
    try {
      write(grids().front(), folder.file(name), {});
      FAIL("written");
    } catch (const UserError& error) {
      CHECK(error.code() == ExitCode::impossible);
      CHECK_MESSAGE(std::string(error.what()).find(words) != std::string::npos, error.what());
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);  // the first rank has then taken its file away
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}
