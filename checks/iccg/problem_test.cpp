#include "problem.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "base/error.hpp"
#include "numerics/coloured.hpp"
#include "numerics/poisson.hpp"
#include "testing/plant.hpp"

using namespace iccg;
using namespace tenken;

namespace {

std::string refusal_of(const std::string& text) {
  const testing::PlantedTree tree;
  tree.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n" + text);
  try {
    problem_from((tree.root() / "a.mtx").string());
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("matrices that conjugate gradients cannot solve are refused in a sentence that names the file") {
  CHECK(refusal_of("2 2 4\n1 1 2\n2 2 2\n1 2 -1\n2 1 -1") == "");
  for (const auto& [text, part] : {std::pair{"2 3 2\n1 1 1\n2 2 1", "2 rows and 3 columns"},
                                   {"2 2 3\n1 1 2\n2 2 2\n1 2 -1", "differs from its mirror image"},
                                   {"2 2 4\n1 1 2\n2 2 2\n1 2 -1\n2 1 -0.5", "differs from its mirror image"},
                                   {"2 2 3\n1 1 2\n1 2 -1\n2 1 -1", "row 2 has no positive diagonal"},
                                   {"2 2 2\n1 1 2\n2 2 0", "row 2 has no positive diagonal"},
                                   {"2 2 2\n1 1 2\n2 2 -1", "row 2 has no positive diagonal"},
                                   {"3 3 2\n1 1 2\n2 2 1", "empty"},
                                   {"2 2 4\n1 1 1\n2 2 1\n1 2 -1\n2 1 -1", "singular"},
                                   {"2 2 4\n1 1 1\n2 2 1\n1 2 2\n2 1 2", "x.A x = -3 for x = 1 in row 1, -2 in row 2"},
                                   {"2 2 1000000000\n1 1 1\n2 2 1", "1000000000"},
                                   {"2 2 4\n1 1 0\n2 2 0\n1 2 -1\n2 1 1", "(a skew-symmetric matrix?)"},
                                   {"2 2 3\n1 1 1\n2 2 1", ""}}) {
    const std::string refusal = refusal_of(text);
    CAPTURE(refusal);
    CHECK(has(refusal, "a.mtx"));
    CHECK(has(refusal, part));
  }
}

TEST_CASE("the matrix of a file is scaled by a power of two, whatever its size") {
  const auto scaled = [](const std::string& entries) {
    const testing::PlantedTree tree;
    tree.write("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n" + entries);
    return problem_from((tree.root() / "a.mtx").string());
  };
  const Problem plain = scaled("2 2 3\n1 1 3\n2 2 2\n2 1 -1\n");
  CHECK(plain.exponent == 1);
  CHECK(*find_entry(plain.a, 0, 0) == 1.5);
  CHECK(*find_entry(plain.a, 0, 1) == -0.5);
  CHECK(plain.b == std::vector<double>{1, 0.5});
  for (const auto& [entries, exponent] : {std::pair{"2 2 3\n1 1 3e155\n2 2 2e155\n2 1 -1e155\n", 516},
                                          {"2 2 3\n1 1 3e-160\n2 2 2e-160\n2 1 -1e-160\n", -530}}) {
    const Problem problem = scaled(entries);
    CHECK(problem.exponent == exponent);
    CHECK(*find_entry(problem.a, 0, 0) >= 1);
    CHECK(*find_entry(problem.a, 0, 0) < 2);
    CHECK(*find_entry(problem.a, 0, 1) / *find_entry(problem.a, 0, 0) == doctest::Approx(-1.0 / 3).epsilon(1e-14));
  }
  CHECK(has(refusal_of("2 2 2\n1 1 1e200\n2 2 1e-200\n"), "too far apart"));
}

TEST_CASE("greedy colours are taken where CM-RCM is not valid") {
  // Rows 1 and 2 are in one level and touch.
  const Entry entries[] = {{0, 0, 3},  {1, 1, 3},  {2, 2, 3},  {0, 1, -1}, {1, 0, -1},
                           {0, 2, -1}, {2, 0, -1}, {1, 2, -1}, {2, 1, -1}};
  const Csr<double> a = csr_from(3, 3, entries).first;
  CHECK_THROWS_AS(coloured(a, Colouring::cm_rcm, 3), UserError);
  CHECK(colouring_error(a, coloured(a, Colouring::automatic, 3)) == "");
  CHECK(coloured(a, Colouring::automatic, 3).groups() == 3);
  CHECK_FALSE(without_triangles(a));
}

TEST_CASE("levels are those of the matrix's order") {
  const Csr<double> a = poisson_matrix(4, 3, 5);
  const Ordering levels = coloured(a, Colouring::levels, 12);
  CHECK(levels.order == natural_levels(a).order);
  CHECK(couplings_inside(a, levels) == 0);
}

TEST_CASE("couplings inside a colour are counted") {
  const Csr<double> a = poisson_matrix(4, 4, 4);
  Ordering colours = cm_rcm(a, 3);
  CHECK(couplings_inside(a, colours) == 0);
  move_to_wrong_colour(colours);
  CHECK(couplings_inside(a, colours) > 0);
  CHECK(without_a_coupling(a).entries() == a.entries() - 2);
  CHECK_FALSE(unsymmetric_entry(without_a_coupling(a), 0).has_value());
}

TEST_CASE("more cells than can be numbered are refused") {
  CHECK(rows_of({10, 20, 30}) == 6000);
  CHECK_THROWS_AS(rows_of({2000, 2000, 2000}), UserError);
}
