// What the table of this check says, as the shared solvers and proofs take it.
#pragma once

#include "qcd/blocks/sections.hpp"
#include "qcd/launch/field.hpp"
#include "qcd/sections.hpp"
#include "this_check.hpp"

namespace tenken::lqcd_dd {

namespace section = this_check::section;
namespace validity = this_check::validity;

constexpr qcd::BlockSections block_sections{
    .solver = section::drbicgstab_dd,
    .sweep = section::drbicgstab_dd_kernel3,
    .hops = section::drbicgstab_dd_kernel3_kernel1,
    .inverse = section::drbicgstab_dd_kernel3_kernel2,
    .combine = section::drbicgstab_dd_kernel3_combine,
    .faces = section::drbicgstab_dd_faces,
    .send = section::drbicgstab_dd_send,
    .recv = section::drbicgstab_dd_recv,
    .update = section::drbicgstab_dd_update,
    .vectors = section::drbicgstab_dd_vectors,
    .reduction = section::drbicgstab_dd_reduction,
};

// Of conjugate gradients on the normal equations.
constexpr qcd::SolverSections normal_sections{
    .solve = section::drbicgstab_dd,
    .hop = section::drbicgstab_dd_operator,
    .pack = section::drbicgstab_dd_operator,
    .communication = section::drbicgstab_dd_send,
    .wait = section::drbicgstab_dd_recv,
    .unpack = section::drbicgstab_dd_recv,
    .update = section::drbicgstab_dd_update,
    .axpy = section::drbicgstab_dd_vectors,
    .dot = section::drbicgstab_dd_vectors,
    .norm = section::drbicgstab_dd_vectors,
    .reduction = section::drbicgstab_dd_reduction,
};

constexpr qcd::FieldProofs field_proofs{.links = validity::links,
                                        .plaquette = validity::plaquette,
                                        .hermiticity = validity::hermiticity,
                                        .covariance = validity::covariance,
                                        .free_field = validity::free_field,
                                        .reference = validity::reference};

}  // namespace tenken::lqcd_dd
