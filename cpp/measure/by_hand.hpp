// The answer of a program that runs by hand: its proofs in words, each with the limit that the judge would set.
#pragma once

#include <string>
#include <vector>

#include "base/parameters.hpp"

namespace tenken {

struct NamedValue {
  std::string name;
  std::string unit;
  double value;
};

struct Proof {
  std::string name;
  double tolerance;        // of check.toml; NaN where it is an expression
  std::string expression;  // empty where the tolerance is a number
  double value;
  double expected;
  double limit;  // that the program states; without a number the proof fails, as in the judge
  bool near;     // |value - expected| <= limit, else value <= limit
  std::string source;
};

// What the expressions of a launch may name.
struct Named {
  const Parameters& parameters;
  int ranks;
  int threads;
  int repetitions;
  const std::vector<NamedValue>& values;
};

struct ByHand {
  bool right = true;
  std::string text;  // newline-ended lines
};

// The limit that counts: the stricter of the program's and the tolerance of check.toml.
double limit_of(const Proof& proof, const Named& named);

// Proofs, then `rates`, values and `tables`. Where the answer is wrong, only counts follow the proofs: they tell the
// place, and are no rate.
ByHand answer_by_hand(const std::vector<Proof>& proofs, const Named& named, const std::string& rates,
                      const std::string& tables);

}  // namespace tenken
