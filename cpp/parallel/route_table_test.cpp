#include "parallel/route_table.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"

using namespace tenken;

namespace {

const RouteOrigin here{"Processor A", "MPI 1.2"};

std::string line(const RouteOrigin& origin, Near near, std::int64_t bytes, std::int64_t blocks, const RouteTimes& us) {
  return route_text(origin, {near, bytes, blocks, us}, "compact", "", "2026-01-02T03:04:05Z");
}

std::string refusal(const std::string& text) {
  try {
    const RouteTable table(text, "FILE", here);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("what is written is read, and launches of one case are taken by their medians") {
  std::string text = route_heading();
  for (const double us : {3.0, 1.0, 2.0}) text += line(here, Near::cache, 512, 1, {us, 5, -1, 6, 7, us / 2});
  text += line(here, Near::node, 512, 64, {9, 5, -1, 6, 7, 8});
  text += line({"Processor B", "MPI 1.2"}, Near::cache, 512, 1, {100, 100, 100, 100, 100, 100});
  const RouteTable table(text, "FILE", here);
  REQUIRE(table.lines().size() == 2);
  const auto us = table.of_message(Near::cache, 512);
  REQUIRE(us);
  CHECK(*us == RouteTimes{2, 5, -1, 6, 7, 1});
  CHECK_FALSE(table.of_message(Near::node, 512));  // blocks at distances say nothing about a message in one piece
}

TEST_CASE("a message goes by the case that is nearest in bytes, up to a factor of four") {
  const RouteTable table(
      line(here, Near::core, 1000, 1, {1, 1, 1, 1, 1, 1}) + line(here, Near::core, 8000, 1, {2, 2, 2, 2, 2, 2}), "FILE",
      here);
  for (const auto& expected : {std::pair{250, 1}, {249, 0}, {1000, 1}, {2800, 1}, {2900, 2}, {32000, 2}, {32001, 0}}) {
    CAPTURE(expected.first);
    const auto found = table.of_message(Near::core, expected.first);
    CHECK((found ? (*found)[0] : 0) == expected.second);
  }
  CHECK_FALSE(table.of_message(Near::socket, 1000));
}

TEST_CASE("a tie goes to packed messages, else to the first of tied routes") {
  CHECK(fastest_route(std::array{100., 96., 200., -1., 300.}) == 0);
  CHECK(fastest_route(std::array{100., 90., 200., -1., 300.}) == 1);
  CHECK(fastest_route(std::array{-1., 90., 89., -1., 300.}) == 1);
  CHECK(fastest_route(std::array{-1., -1.}) == -1);
}

TEST_CASE("a line that does not fit is refused with its number, its cell and what to do") {
  const std::string good = line(here, Near::cache, 512, 1, {1, 2, 3, 4, 5, 6});
  CHECK(refusal(route_heading() + good).empty());
  CHECK(refusal(good.substr(0, 25)).find("line 1 of FILE has 3 columns where 15") == 0);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return refusal(route_heading() + good + text);
  };
  CHECK(with("cache", "kache").find("line 3 of FILE has 'kache' where a class such as core") == 0);
  CHECK(with("\t512\t", "\t5x\t").find("line 3 of FILE has '5x' where a number of 1 or more") == 0);
  CHECK(with("\t512\t", "\t0\t").find("'0' where a number of 1") != std::string::npos);
  CHECK(with("\t3\t", "\tnan\t").find("'nan' where microseconds above 0, or -, are expected") != std::string::npos);
  CHECK(with("\t3\t", "\t-3\t").find("'-3' where microseconds") != std::string::npos);
  CHECK(with("\t3\t", "\t\t").find("'' where microseconds") != std::string::npos);
  CHECK(with("\t3\t", "\t\x1b[1m\t").find('\x1b') == std::string::npos);
  for (const std::string& text : {with("cache", "kache"), with("\t512\t", "\t5x\t")}) {
    CHECK(text.find("; measure the routes with the check that has save_routes") != std::string::npos);
  }
}

TEST_CASE("a table of another processor or MPI is refused, and both are named") {
  const RouteTimes us{1, 2, 3, 4, 5, 6};
  for (const RouteOrigin& other : {RouteOrigin{"Processor B", "MPI 1.2"}, RouteOrigin{"Processor A", "MPI 1.3"}}) {
    const std::string text = refusal(line(other, Near::cache, 512, 1, us));
    CHECK(text.find("--routes FILE has no routes of Processor A with MPI 1.2, only of " + other.processor + " with " +
                    other.mpi) == 0);
  }
  CHECK(refusal("").find("--routes FILE has no routes of Processor A with MPI 1.2; measure the routes") == 0);
}

TEST_CASE("a table without messages in one piece is refused") {
  const std::string text = refusal(line(here, Near::cache, 512, 2, {1, 2, 3, 4, 5, 6}));
  CHECK(text.find("--routes FILE has planes of several blocks alone") == 0);
}

TEST_CASE("names of routes are read, others are refused with the list") {
  for (int i = 0; i < route_kinds; ++i) {
    CHECK(static_cast<int>(route_kind_from(name_of(static_cast<RouteKind>(i)))) == i);
  }
  CHECK_THROWS_WITH_AS(route_kind_from("pak"),
                       "route 'pak' is not known; valid are pack, datatype, window, put, neighbour, staged", UserError);
}

}  // namespace
