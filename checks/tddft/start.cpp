#include "start.hpp"

#include <mpi.h>

#include <string>

#include "base/error.hpp"
#include "simd/vec.hpp"
#include "stencil/pass.hpp"
#include "this_check.hpp"

namespace tenken::tddft {

dft::Reduce sums_over(MPI_Comm comm) {
  return [comm](double* numbers, std::size_t n) {
    MPI_Allreduce(MPI_IN_PLACE, numbers, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, comm);
  };
}

Checkpoints checkpoints(const Check& check, const char* stage, std::uint64_t input, Range k_range) {
  const std::string& written = check.parameters().text("checkpoint");
  const std::string& read = check.parameters().text("restart");
  if (!written.empty() && !read.empty() && written != read) {
    refuse("--checkpoint and --restart name different files; --restart alone goes on writing those that it reads");
  }
  return {written.empty() ? read : written,
          {.input = input,
           .stage = stage,
           .first = k_range.first,
           .last = k_range.last,
           .rank = check.rank(),
           .ranks = check.ranks()},
          check.comm()};
}

dft::GroundStateOptions options_for(const Wishes& wishes, const dft::Grid& grid) {
  dft::GroundStateOptions options;
  options.tolerance = wishes.real("ground_state");
  options.most_iterations = static_cast<int>(wishes.integer("ground_state_steps"));
  const Form form = form_of(Layout::points, grid, vector_bytes);
  options.stencil = [form](const dft::Stencil& stencil, const double* potential, const dft::Complex* in,
                           dft::Complex* out) {
    thread_local std::vector<double> scratch, diagonal;
    scratch.resize(scratch_doubles(stencil.grid, form));
    diagonal.resize(static_cast<std::size_t>(stencil.grid.size()));
    diagonal_of(stencil, potential, diagonal.data());
    stencil_explicit(form, Store::apply, stencil, diagonal.data(), reinterpret_cast<const double*>(in),
                     {.out = reinterpret_cast<double*>(out)}, scratch.data());
  };
  return options;
}

dft::GroundState first_state(const Wishes& wishes, const dft::System& system, Range k_range, const dft::Reduce& reduce,
                             const dft::SameK& same_k, Checkpoints& places, bool anew) {
  dft::GroundStateSolver solver(system, k_range, options_for(wishes, system.grid), reduce, same_k);
  if (!anew && places.load([&](std::istream& in, std::int64_t) { return solver.restore(in); }) < 0) {
    refuse("there is no checkpoint '" + wishes.parameters().text("restart") +
           "' that all ranks can go on from; check the path, or leave --restart out to start anew");
  }
  const std::int64_t every = wishes.integer("checkpoint_steps"), most = wishes.integer("ground_state_steps");
  while (solver.step()) {
    const int done = solver.state().iterations;
    if (done % every == 0 || solver.state().converged || done == most) {
      places.save(done, [&](std::ostream& out) { solver.save(out); });
    }
  }
  return std::move(solver).take();
}

void prove_ground_state(Check& check, const Wishes& wishes, double residual) {
  check.prove(this_check::validity::ground_state, residual, 100 * wishes.real("ground_state"),
              "the requested residual, when iterations ended");
}

}  // namespace tenken::tddft
