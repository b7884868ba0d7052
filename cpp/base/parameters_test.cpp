#include "base/parameters.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"

using namespace tenken;

namespace {

constexpr std::array<ParameterSpec, 6> specs = {{
    {"size", ParameterType::bytes, "1MiB", 8, 1e12, "", 0, "bytes of an array"},
    {"lattice", ParameterType::integers, "4,4,4,8", 1, 1024, "", 4, "sites in x, y, z, t"},
    {"kappa", ParameterType::real, "0.15", 0, 1, "", 0, "hopping"},
    {"start", ParameterType::choice, "hot", 0, 0, "hot|cold", 0, "configuration"},
    {"check", ParameterType::flag, "false", 0, 0, "", 0, "a flag"},
    {"input", ParameterType::path, "", 0, 0, "", 0, "a file"},
}};
constexpr std::array<VariantSpec, 3> variants = {
    {{"plain", "", false}, {"fast", "", false}, {"other", "no compiler", false}}};
constexpr std::array<std::string_view, 1> faults = {"link_sign"};
constexpr CheckTable table{"demo", "Demo", "Why?", "a pass", specs, {}, variants, faults};

Parameters parse(std::vector<const char*> words) {
  words.insert(words.begin(), "demo");
  return Parameters(table, static_cast<int>(words.size()), words.data());
}

std::string refusal(std::vector<const char*> words) {
  try {
    parse(std::move(words));
  } catch (const UserError& error) {
    CHECK((error.code() == ExitCode::refused || error.code() == ExitCode::lacking));
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("defaults hold until something is said") {
  const Parameters p = parse({});
  CHECK(p.integer("size") == 1 << 20);
  CHECK(p.integers("lattice") == std::vector<std::int64_t>{4, 4, 4, 8});
  CHECK(p.real("kappa") == 0.15);
  CHECK(p.text("variant") == "plain");
  CHECK_FALSE(p.flag("check"));
  CHECK(p.text("input").empty());
  CHECK_FALSE(p.given("kappa"));
  CHECK(parse({"--kappa", "0.15"}).given("kappa"));
}

TEST_CASE("both spellings, units and lists are read") {
  const Parameters p = parse({"--size=2GiB", "--lattice", "8,8,8,16", "--check", "true", "--variant", "fast", "--fault",
                              "link_sign", "--input", "a b=c,d"});
  CHECK(p.integer("size") == std::int64_t{2} << 30);
  CHECK(p.text("input") == "a b=c,d");
  CHECK(p.integers("lattice")[3] == 16);
  CHECK(p.flag("check"));
  CHECK(p.text("fault") == "link_sign");
}

TEST_CASE("wrong input is refused by name, with what is valid") {
  CHECK(refusal({"--latice", "4,4,4,4"}).find("valid are size, lattice") != std::string::npos);
  CHECK(refusal({"--lattice", "4,4,4"}).find("4 whole numbers") != std::string::npos);
  CHECK(refusal({"--lattice", "4,4,4,4,"}).find("4 whole numbers") != std::string::npos);
  CHECK(refusal({"--lattice", "4,4,4,0"}).find("outside 1 to 1024") != std::string::npos);
  CHECK(refusal({"--kappa", "abc"}).find("not a number") != std::string::npos);
  CHECK(refusal({"--size", "1.5B"}).find("whole number") != std::string::npos);
  CHECK(refusal({"--start", "warm"}).find("hot, cold") != std::string::npos);
  CHECK(refusal({"--variant", "slow"}).ends_with("valid are plain, fast"));
  CHECK(refusal({"--variant", "other"}) == "variant 'other' is not built here: no compiler");
  CHECK(refusal({"--fault", "gamma"}).find("link_sign") != std::string::npos);
  CHECK(refusal({"8"}).find("start with --") != std::string::npos);
  CHECK(refusal({"--kappa"}).find("needs a value") != std::string::npos);
  CHECK(refusal({"--kappa", "nan"}).find("outside") != std::string::npos);
}

TEST_CASE("help names every parameter") {
  const std::string help = Parameters::help_text(table);
  for (const auto& spec : specs) CHECK(help.find("--" + std::string(spec.name)) != std::string::npos);
  for (const auto& spec : generic_parameters()) CHECK(help.find("--" + std::string(spec.name)) != std::string::npos);
}
