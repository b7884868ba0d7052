// The three matrices in the memory of a card, and their product. No library of a card is named here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/facts.hpp"
#include "gpu/form_of.hpp"
#include "gpu/section_cost.hpp"

namespace dgemm::device {

// Errors are UserErrors with the sentence of the card.
class Device {
 public:
  virtual ~Device() = default;
  virtual tenken::gpu::Facts facts() const = 0;
  virtual tenken::gpu::SectionCost section_cost() = 0;  // measured by this call; waits
  virtual std::string library() const = 0;              // that multiplies: name and version

  // Copies matrices of order n to the card; stored by columns.
  virtual void load(int n, const double* a, const double* b, const double* c) = 0;
  // C = alpha A B + beta C. Returns when done: the time of the card, ns.
  virtual double multiply(double alpha, double beta) = 0;
  virtual void read(double* c) const = 0;
};

// Both forms of kernel.cu: on a card, linked where the variant `cuda` is built, and in loops on the host, linked in
// tests. `cards`: all that this process may use.
namespace on_card {
std::vector<tenken::gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_card
namespace on_host {
std::vector<tenken::gpu::Facts> cards();
std::unique_ptr<Device> make_device(int card);
}  // namespace on_host

using Form = tenken::gpu::FormOf<Device>;

}  // namespace dgemm::device
