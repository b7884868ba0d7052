// Files of pseudopotentials in CP2K's form, right and wrong.
#include "numerics/dft/gth.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"
#include "numerics/dft/fingerprint.hpp"

using namespace tenken;
using namespace tenken::dft;

namespace {

const std::string silicon = R"(# from the tables of Hartwigsen et al.
Si GTH-BLYP-q4
    2    2
     0.44000000    1    -6.0
    0
Si GTH-PADE-q4 GTH-LDA-q4 GTH-PADE GTH-LDA
    2    2
     0.44000000    1    -7.33610297
    2
     0.42273813    2     5.90692831    -1.26189397
                                        3.25819622
     0.48427842    1     2.72701346
Xx NAME-q13
    1    0   12
     0.5    3    1.5  -2.5 3.5
    3
     0.6   3     1.0 2.0 3.0
                     4.0 5.0
                         6.0
     0.7   0
     0.3   1    -7.0
)";

std::string refusal(const std::string& text, const std::string& element) {
  try {
    gth_entry(text, "file", element);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = silicon;
  const std::size_t at = text.rfind(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("silicon of a file is the program's, and the entry of the local density approximation is taken") {
  const Pseudopotential read = gth_entry(silicon, "file", "Si"), &known = pseudopotential("Si");
  CHECK(read.charge == known.charge);
  CHECK(read.local_radius == known.local_radius);
  CHECK(read.local == known.local);
  for (std::size_t l = 0; l < 3; ++l) {
    CHECK(read.of_l[l].radius == known.of_l[l].radius);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) CHECK(std::abs(read.of_l[l].h[i][j] - known.of_l[l].h[i][j]) < 1e-8);
  }
}

TEST_CASE("three projectors, an empty angular momentum and l = 2 are read") {
  const Pseudopotential ion = gth_entry(silicon, "file", "Xx");
  CHECK(ion.charge == 13);
  CHECK(ion.local == std::array<double, 4>{1.5, -2.5, 3.5, 0});
  CHECK(ion.of_l[0].h == std::array<std::array<double, 3>, 3>{{{1, 2, 3}, {2, 4, 5}, {3, 5, 6}}});
  CHECK(ion.of_l[1].radius == 0);
  CHECK(ion.of_l[2].h[0][0] == -7);
  CHECK(channels(ion).size() == 4);
}

TEST_CASE("what cannot be read is refused with its line and element") {
  CHECK(contains(refusal(silicon, "C"), "'file' has no entry for element C"));
  CHECK(
      contains(refusal("Hartwigsen psp for Si\n 14 4 zatom,zion\n 0.44 -7.3 rloc\n", "Si"), "no entry in CP2K's form"));
  CHECK(contains(refusal(silicon + "Si GTH-LDA-q4\n 2 2\n 0.44 0\n 0\n", "Si"), "(lines 6, 22); leave only"));
  CHECK(contains(refusal(changed("2.72701346", "2.7e"), "Si"), "line 12, element Si: '2.7e' is not a number"));
  CHECK(contains(refusal(changed("     0.48427842    1     2.72701346\n", ""), "Si"),
                 "element Si: the entry ends before"));
  CHECK(contains(refusal(changed("2.72701346", "2.72701346 5"), "Si"), "line 12, element Si: numbers are left"));
  CHECK(contains(refusal(changed("-7.0\n", "-7.0\n NLCC 1\n"), "Xx"), "line 22, element Xx: 'NLCC' begins a part"));
  CHECK(contains(refusal(changed("    3\n", "    4\n"), "Xx"),
                 "line 16, element Xx: the number of angular momenta is 4"));
  CHECK(contains(refusal(changed("0.3   1", "0.3   4"), "Xx"), "projectors of l = 2 is 4; 0 to 3 are computed here"));
  CHECK(contains(refusal(changed("0.3   1", "-0.3   1"), "Xx"), "the radius of l = 2 must be above 0"));
  CHECK(contains(refusal(changed("1    0   12", "1    0   11"), "Xx"),
                 "add up to 12, but the name of the entry states 13"));
  CHECK_THROWS_WITH_AS(use_pseudopotentials("/no/such", {{"Si", {}}}),
                       "the pseudopotentials '/no/such' cannot be read; check the path", UserError);
}

TEST_CASE("a crystal with another pseudopotential is another input") {
  const Input input = example("si");
  const std::uint64_t before = fingerprint(input);
  Pseudopotential other = pseudopotential("Si");
  other.of_l[1].h[0][0] += 1e-3;
  set_pseudopotential(other);
  CHECK(pseudopotential("Si").of_l[1].h[0][0] == other.of_l[1].h[0][0]);
  CHECK(fingerprint(input) != before);
}
