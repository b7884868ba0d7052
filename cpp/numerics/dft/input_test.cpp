// Input files and checkpoints.
#include "numerics/dft/input.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "base/checkpoint.hpp"
#include "base/error.hpp"
#include "numerics/dft/fingerprint.hpp"
#include "numerics/dft/ground_state.hpp"
#include "testing/plant.hpp"

using namespace tenken;
using namespace tenken::dft;

namespace {

constexpr const char* diamond = R"(cell = [[6.74, 0, 0], [0, 6.74, 0], [0, 0, 6.74]]
grid = [8, 8, 8]
functional = "pade"
[[atom]]
element = "C"
fraction = [0, 0, 0]
[[atom]]
element = "C"
bohr = [1.685, 1.685, 1.685]
[run]
steps = 5
)";

template <class F>
std::string refusal(const F& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::string refused(std::string text, const std::string& old, const std::string& now) {
  text.replace(text.find(old), old.size(), now);
  return refusal([&] { input_from(Toml(text, "x.toml")); });
}

}  // namespace

TEST_CASE("an input file is the crystal that it states") {
  const Toml toml(diamond, "x.toml");
  const Input input = input_from(toml);
  CHECK(input.grid.points == std::array{8, 8, 8});
  CHECK(input.grid.cell == Vector{6.74, 6.74, 6.74});
  CHECK(input.k_grid == std::array{1, 1, 1});
  CHECK(input.functional == Functional::pade);
  REQUIRE(input.atoms.size() == 2);
  CHECK(input.atoms[1].position == Vector{1.685, 1.685, 1.685});
  CHECK(toml.number("run.steps") == 5);
  CHECK_NOTHROW(toml.require_all_read());
  CHECK(refused(diamond, "[0, 6.74, 0]", "[1, 6.74, 0]").find("the cell is not orthogonal") != std::string::npos);
  CHECK(refused(diamond, "[8, 8, 8]", "[8, 8.5, 8]").find("'grid' must be whole") != std::string::npos);
  CHECK(refused(diamond, "grid =", "gird =").find("'grid' is missing") != std::string::npos);
  CHECK(refused(diamond, "fraction", "angstrom").find("[[atom]] 1 must have") != std::string::npos);
  CHECK(refused(diamond, "pade", "b3lyp").find("functional 'b3lyp' is not known") != std::string::npos);
}

TEST_CASE("a ground state continues from its checkpoint with equal bits") {
  const tenken::testing::PlantedTree folder;
  const std::string path = (folder.root() / "state").string();
  const Input input = input_from(Toml(diamond, "x.toml"));
  const System system = make_system(input);
  const Range all{0, 1};
  const CheckpointKey key{fingerprint(input), "ground state", all.first, all.last, 0, 1};
  GroundStateSolver through(system, all, {}), restarted(system, all, {});
  const auto restore = [&](std::istream& in) { return restarted.restore(in); };
  CHECK_FALSE(load_checkpoint(path, key, restore));
  for (int i = 0; i < 3; ++i) through.step();
  save_checkpoint(path, key, [&](std::ostream& out) { through.save(out); });
  CHECK(load_checkpoint(path, key, restore));
  while (through.step()) restarted.step();
  CHECK(restarted.state().energies.total() == through.state().energies.total());
  CHECK(restarted.state().density == through.state().density);

  Input other = input;
  other.grid.cell[1] += 1e-12;
  CHECK(fingerprint(other) != fingerprint(input));
}
