#include "numerics/matrix_market.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "base/error.hpp"

using namespace tenken;

namespace {

Csr<double> parse(const std::string& text) { return parse_matrix_market(text, "FILE"); }

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    return error.what();
  }
  return "";
}

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

}  // namespace

TEST_CASE("a general matrix is read, in any order, with comments, blank lines and any case") {
  const Csr<double> a = parse(
      "%%matrixmarket MATRIX Coordinate REAL General\n% a comment\n\n  2 3\t3\r\n2 3 -1.5e2\n\n1 1 +4\n% more\n 1   2 "
      ".25");
  CHECK(a.rows == 2);
  CHECK(a.columns == 3);
  CHECK(a.entries() == 3);
  CHECK(*find_entry(a, 0, 0) == 4);
  CHECK(*find_entry(a, 0, 1) == 0.25);
  CHECK(*find_entry(a, 1, 2) == -150);
}

TEST_CASE("symmetric and skew-symmetric files give both triangles, and the diagonal once") {
  const Csr<double> a = parse(symmetric + "3 3 4\n1 1 2\n2 1 -1\n3 3 5\n3 2 7\n");
  CHECK(a.entries() == 6);
  CHECK(*find_entry(a, 0, 1) == -1);
  CHECK(*find_entry(a, 1, 0) == -1);
  CHECK(*find_entry(a, 1, 2) == 7);
  CHECK_FALSE(unsymmetric_entry(a, 0).has_value());
  const Csr<double> skew = parse("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n");
  CHECK(*find_entry(skew, 1, 0) == 3);
  CHECK(*find_entry(skew, 0, 1) == -3);
}

TEST_CASE("a header that announces more than the file holds is refused before anything is allocated") {
  CHECK(refusal(general + "1000000000 1000000000 1000000000\n1 1 1\n") ==
        "matrix file FILE: it announces 1000000000 entries, but the 6 bytes that follow contain at most 1; get the "
        "file anew, "
        "it was "
        "cut or its header is wrong");
  CHECK(refusal(general + "2000000000 1 1\n1 1 1\n").find("some row or column is empty") != std::string::npos);
  CHECK(refusal(general + "1 2000000000 1\n1 1 1\n").find("some row or column is empty") != std::string::npos);
  CHECK(refusal(general + "2 2 2\n1 1 1.0000000000\n") ==
        "matrix file FILE: it announces 2 entries, but ends after 1; get the file anew, it was cut");
  CHECK(refusal(general + "1 1 1\n1 1 1\n1 1 1\n") ==
        "matrix file FILE: line 4 goes on after the 1 entries that the header announces; correct the header, or take "
        "the rest "
        "out");
}

TEST_CASE("other kinds of file are refused by name") {
  const auto of = [](const std::string& kind) { return refusal("%%MatrixMarket " + kind + "\n1 1 1\n1 1 1\n"); };
  CHECK(of("matrix coordinate pattern general") ==
        "matrix file FILE: field 'pattern' is not read; valid is real or integer: a matrix of numbers is needed");
  CHECK(of("matrix coordinate complex general").find("field 'complex' is not read") != std::string::npos);
  CHECK(of("matrix array real general").find("format 'array' is not read") != std::string::npos);
  CHECK(of("matrix coordinate real hermitian").find("symmetry 'hermitian' is not read") != std::string::npos);
  CHECK(of("vector coordinate real general").find("object 'vector' is not read") != std::string::npos);
  CHECK(refusal("\x7f"
                "ELF")
            .find("it does not begin with %%MatrixMarket") != std::string::npos);
  CHECK(refusal("").find("it does not begin with %%MatrixMarket") != std::string::npos);
}

TEST_CASE("what is no number, or lies outside, is refused with its line") {
  const auto of = [](const std::string& entry) { return refusal(general + "2 2 2\n1 1 1\n" + entry + "\n"); };
  CHECK(of("2 2 nan") == "matrix file FILE: line 4 has 'nan' as value; a finite number was expected");
  for (const char* value : {"inf", "1e999", "1,5", "+-3", "0x10", "1.0D0"}) {
    CHECK(of(std::string("2 2 ") + value).find("line 4 has '") != std::string::npos);
  }
  CHECK(of("3 2 1") == "matrix file FILE: line 4 has '3' as row; a whole number from 1 to 2 was expected");
  CHECK(of("2 0 1").find("has '0' as column") != std::string::npos);
  CHECK(of("2 2 1 7") == "matrix file FILE: line 4 has '7' after all that belongs there; take it out");
  CHECK(of("2 2    ").find("has '' as value") != std::string::npos);
  CHECK(of("1 1 5000").find("the entry of row 1, column 1 is given twice") != std::string::npos);
  CHECK(refusal(symmetric + "2 2 3\n1 1 1\n2 1 1\n1 2 1\n").find("is given twice") != std::string::npos);
  CHECK(refusal(symmetric + "2 3 3\n1 1 1\n2 1 1\n1 3 1\n").find("a square matrix was expected") != std::string::npos);
  CHECK(refusal(general + "-1 1 1\n1 1 1\n").find("has '-1' as number of rows") != std::string::npos);
  CHECK(refusal(general + "99999999999999999999 1 1\n1 1 1\n").find("as number of rows") != std::string::npos);
  CHECK(refusal(general + "% nothing more\n").find("ends before the line of sizes") != std::string::npos);
  CHECK(refusal("%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 1\n1 1 1\n").find("must be 0 there") !=
        std::string::npos);
}

TEST_CASE("a file is read from disk, one that is not there is refused") {
  const std::string path = "/tmp/tenken-matrix-" + std::to_string(getpid());
  std::ofstream(path) << symmetric << "1 1 1\n1 1 3\n";
  CHECK(*find_entry(read_matrix_market(path), 0, 0) == 3);
  std::remove(path.c_str());
  CHECK_THROWS_WITH_AS(read_matrix_market(path),
                       ("matrix file " + path + " cannot be read; give the path of a Matrix Market file").c_str(),
                       UserError);
}
