// The subset of TOML that inputs are written in.
#include "base/toml.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"

using namespace tenken;

namespace {

std::string refusal(std::string_view text) {
  try {
    Toml(text, "x.toml").require_all_read();
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("numbers, words, flags, arrays and tables are read") {
  const Toml toml(R"(# a comment
cell = [10.26, 1e1,  # another
        +3.5,]
steps = -12
name = "a # b"
[pulse]
on = true
off = false
[[atom]]
element = "Si"
[[atom]]
element = "O"
rows = [[1, 2], [3],
        []]
none = []
)",
                  "x.toml");
  CHECK(toml.numbers("cell", 3) == std::vector<double>{10.26, 10, 3.5});
  CHECK(toml.number("steps") == -12);
  CHECK(toml.word("name") == "a # b");
  CHECK(toml.flag("pulse.on") == true);
  CHECK(toml.tables("atom") == 2);
  CHECK(toml.tables("none") == 0);
  CHECK(toml.word("atom.0.element") == "Si");
  CHECK(toml.word("atom.1.element") == "O");
  CHECK(toml.rows("atom.1.rows") == std::vector<std::vector<double>>{{1, 2}, {3}, {}});
  CHECK(toml.rows("cell") == std::nullopt);
  CHECK(toml.numbers("atom.1.none")->empty());
  CHECK(toml.number("missing") == std::nullopt);
  CHECK_THROWS_WITH_AS(toml.require_all_read(), "'x.toml', line 8: 'pulse.off' is not known; mend the file", UserError);
  CHECK(toml.flag("pulse.off") == false);
  CHECK_NOTHROW(toml.require_all_read());
  CHECK_THROWS_WITH_AS(toml.word("steps"), "'x.toml', line 4: 'steps' must be a word in quotes; mend the file",
                       UserError);
  CHECK_THROWS_WITH_AS(toml.numbers("cell", 2), "'x.toml', line 2: 'cell' must be an array of 2 numbers; mend the file",
                       UserError);
}

TEST_CASE("what is no such text is refused with its line") {
  CHECK(refusal("").empty());
  CHECK(refusal("\n\na = ") ==
        "'x.toml', line 3: a number, a word in quotes, true, false or an array of numbers was expected; mend the file");
  for (const char* text : {"a",         "a =",          "a = 1 2",      "= 1",        "a = \"b", "a = \"b\\n\"",
                           "a = [1, 2", "a = [1, [2]]", "a = [[1], 2]", "a = 1e999",  "a = nan", "a = 1\na = 2",
                           "[a",        "[a]\n[a]",     "[[a]]\n[a]",   "[a]\n[[a]]", "[]",      "a = 2020-01-01",
                           "a.b = 1",   "a = [[[1]]]",  "a = {b = 1}",  "]",          "a = 'b'", "[[a]",
                           "a = [",     "a = [["})
    CHECK_MESSAGE(refusal(text).starts_with("'x.toml', line "), text);
  CHECK_THROWS_AS(Toml::from_file("/nowhere/at/all.toml"), UserError);
}
