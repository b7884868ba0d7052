// The whole of doctest, compiled once for all test programs.
#define DOCTEST_CONFIG_IMPLEMENT
#include "testing/count.hpp"

REGISTER_LISTENER("counter", 1, tenken::testing::Counter);
