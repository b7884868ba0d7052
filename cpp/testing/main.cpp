#include "testing/count.hpp"

int main(int argc, char** argv) { return tenken::testing::run(argc, argv); }
