// What the table of this check says, as the shared solvers and proofs take it.
#pragma once

#include "qcd/launch/field.hpp"
#include "qcd/sections.hpp"
#include "this_check.hpp"

namespace tenken::lqcd {

namespace section = this_check::section;
namespace validity = this_check::validity;

constexpr qcd::SolverSections sections{
    .solve = section::solve,
    .hop = section::solve_operator,
    .pack = section::solve_pack,
    .communication = section::solve_communication,
    .wait = section::solve_wait,
    .unpack = section::solve_unpack,
    .update = section::solve_update,
    .axpy = section::solve_axpy,
    .dot = section::solve_dot,
    .norm = section::solve_norm,
    .reduction = section::solve_reduction,
};

constexpr qcd::FieldProofs field_proofs{.links = validity::links,
                                        .plaquette = validity::plaquette,
                                        .hermiticity = validity::hermiticity,
                                        .covariance = validity::covariance,
                                        .free_field = validity::free_field,
                                        .reference = validity::reference};

}  // namespace tenken::lqcd
