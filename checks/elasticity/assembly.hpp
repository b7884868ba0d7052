// The linear system of a mesh: matrix, load and preconditioner, each rank its own rows.
//
// Displacements that are held are eliminated: their rows and columns are empty but for the diagonal, so that the matrix
// stays symmetric, and their load is 0. The load is a traction of 1 in z at the upper end of z: a quarter of each
// square to each of its corners.
#pragma once

#include <vector>

#include "mesh.hpp"
#include "numerics/block_sell.hpp"

namespace tenken::elasticity {

using Matrix = BlockSell<double, 3>;

// Nodes to which the matrix has a block in the row of an own node: those that an element shares with it, 27 inside, but
// own ones before it.
std::vector<Node> stored_around(const Mesh& mesh, std::int64_t own);

Matrix assembled(const Mesh& mesh, const Material& material);

Buffer<double> traction(const Mesh& mesh);

// Inverses of the diagonal blocks. Throws UserError where one is singular.
Buffer<Block3> inverse_diagonal(const Matrix& matrix);

}  // namespace tenken::elasticity
