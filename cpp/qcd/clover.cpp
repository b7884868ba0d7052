#include "qcd/clover.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "qcd/gauge/su3.hpp"

namespace tenken::qcd {

namespace {

using C = Complex<double>;

constexpr double smallest_pivot = 1e-12;  // of the largest row sum

double square(const C& a) { return a.re * a.re + a.im * a.im; }

void add(Link& sum, const Link& a) {
  for (int i = 0; i < colours; ++i) {
    for (int j = 0; j < colours; ++j) sum.at[i][j] = sum.at[i][j] + a.at[i][j];
  }
}

// i (a + s b) for anti-Hermitian a and b: Hermitian.
Link hermitian(const Link& a, double s, const Link& b) {
  Link g;
  for (int i = 0; i < colours; ++i) {
    for (int j = 0; j < colours; ++j) g.at[i][j] = times_i(a.at[i][j] + s * b.at[i][j]);
  }
  return g;
}

Link times(double s, const Link& a) {
  Link out;
  for (int i = 0; i < colours; ++i) {
    for (int j = 0; j < colours; ++j) out.at[i][j] = s * a.at[i][j];
  }
  return out;
}

// -strength sum_k sigma_k G_k, G_k Hermitian.
CloverBlock packed_block(const Link (&g)[3], double strength) {
  C full[block_size][block_size];
  for (int a = 0; a < colours; ++a) {
    for (int b = 0; b < colours; ++b) {
      full[a][b] = -strength * g[2].at[a][b];
      full[a + colours][b + colours] = strength * g[2].at[a][b];
      full[a + colours][b] = -strength * (g[0].at[a][b] + times_i(g[1].at[a][b]));
      full[a][b + colours] = -strength * (g[0].at[a][b] - times_i(g[1].at[a][b]));
    }
  }
  CloverBlock block;
  for (int i = 0; i < block_size; ++i) {
    block.diagonal[i] = full[i][i].re;
    for (int j = 0; j < i; ++j) block.below[packed(i, j)] = full[i][j];
  }
  return block;
}

// Largest sum of |elements| of a row of 1 + block.
double row_norm(const CloverBlock& block) {
  double rows[block_size];
  for (int i = 0; i < block_size; ++i) rows[i] = std::abs(1 + block.diagonal[i]);
  for (int i = 0; i < block_size; ++i) {
    for (int j = 0; j < i; ++j) {
      const double a = std::sqrt(square(block.below[packed(i, j)]));
      rows[i] += a;
      rows[j] += a;
    }
  }
  return *std::max_element(rows, rows + block_size);
}

C element(const CloverBlock& b, int i, int j) {
  if (i == j) return {b.diagonal[i], 0};
  return i > j ? b.below[packed(i, j)] : conj(b.below[packed(j, i)]);
}

}  // namespace

Link field_strength(const ExtendedLinks& u, const Index4& x, int mu, int nu) {
  const auto at = [&](int along_mu, int along_nu) {
    Index4 y = x;
    y[mu] += along_mu;
    y[nu] += along_nu;
    return y;
  };
  const auto link = [&](int along_mu, int along_nu, int rho) -> const Link& {
    return u.at(at(along_mu, along_nu), rho);
  };
  // Each leaf in the sense from mu to nu.
  Link q = (link(0, 0, mu) * link(1, 0, nu)) * (adjoint(link(0, 1, mu)) * adjoint(link(0, 0, nu)));
  add(q, (link(0, 0, nu) * adjoint(link(-1, 1, mu))) * (adjoint(link(-1, 0, nu)) * link(-1, 0, mu)));
  add(q, (adjoint(link(-1, 0, mu)) * adjoint(link(-1, -1, nu))) * (link(-1, -1, mu) * link(0, -1, nu)));
  add(q, (adjoint(link(0, -1, nu)) * link(0, -1, mu)) * (link(1, -1, nu) * adjoint(link(0, 0, mu))));
  Link f;
  for (int a = 0; a < colours; ++a) {
    for (int b = 0; b < colours; ++b) f.at[a][b] = 0.125 * (q.at[a][b] - conj(q.at[b][a]));
  }
  return f;
}

CloverField make_clover(const ExtendedLinks& u, double kappa, double csw, const CloverFaults& faults) {
  const Geometry& g = u.geometry();
  CloverField term(static_cast<std::size_t>(g.sites), Pages::huge, "the clover term");
  const double strength = faults.factor * kappa * csw;
#pragma omp parallel for schedule(static)
  for (int site = 0; site < g.sites; ++site) {
    const Index4 x = coordinates(site, g.block.extents());
    const auto f = [&](int mu, int nu) { return field_strength(u, x, mu, nu); };
    // sum_{mu<nu} gamma_mu gamma_nu F_mu,nu = sum_k i sigma_k (spatial_k + gamma_5 F_kt), gamma_x gamma_z = -i sigma_y.
    const Link spatial[3] = {f(1, 2), times(-1, f(0, 2)), times(faults.sign_xy, f(0, 1))};
    const Link temporal[3] = {f(0, 3), f(1, 3), f(2, 3)};
    for (const int chirality : {0, 1}) {
      Link h[3];
      for (int k = 0; k < 3; ++k) h[k] = hermitian(spatial[k], chirality == 0 ? 1 : -1, temporal[k]);
      term[site].block[chirality] = packed_block(h, strength);
    }
  }
  return term;
}

void add_clover(const CloverField& term, const std::vector<std::int32_t>& sites, Field& out, const Field& in) {
  const auto count = static_cast<std::int64_t>(sites.size());
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t x = sites[static_cast<std::size_t>(i)];
    const Spinor more = clover_times(term[x], in[x]);
    for (int s = 0; s < spins; ++s) {
      for (int c = 0; c < colours; ++c) {
        Complex<double>& to = out[x].at[(s + 2) % spins][c];
        to = to + more.at[s][c];
      }
    }
  }
}

std::optional<InvertedBlock> inverted(const CloverBlock& block, int lost_pivot) {
  const double least = smallest_pivot * row_norm(block);
  // 1 + block = L D L^H, L with ones on its diagonal.
  double d[block_size], one_over_d[block_size];
  C l[block_size][block_size];
  double log_det = 0;
  for (int j = 0; j < block_size; ++j) {
    d[j] = 1 + block.diagonal[j];
    for (int k = 0; k < j; ++k) d[j] -= d[k] * square(l[j][k]);
    if (!(std::abs(d[j]) >= least)) return std::nullopt;
    one_over_d[j] = j == lost_pivot ? 0 : 1 / d[j];
    log_det += std::log(std::abs(d[j]));
    for (int i = j + 1; i < block_size; ++i) {
      C sum = block.below[packed(i, j)];
      for (int k = 0; k < j; ++k) sum = sum - d[k] * (l[i][k] * conj(l[j][k]));
      l[i][j] = (1 / d[j]) * sum;
    }
  }
  // M = L^-1, then the inverse is M^H D^-1 M.
  C m[block_size][block_size];
  for (int j = 0; j < block_size; ++j) {
    m[j][j] = {1, 0};
    for (int i = j + 1; i < block_size; ++i) {
      C sum{0, 0};
      for (int k = j; k < i; ++k) sum = sum - l[i][k] * m[k][j];
      m[i][j] = sum;
    }
  }
  InvertedBlock out{{}, log_det};
  for (int i = 0; i < block_size; ++i) {
    for (int j = 0; j <= i; ++j) {
      C sum{0, 0};
      for (int k = i; k < block_size; ++k) sum = sum + one_over_d[k] * (conj(m[k][i]) * m[k][j]);
      if (i == j) {
        out.inverse.diagonal[i] = sum.re;
      } else {
        out.inverse.below[packed(i, j)] = sum;
      }
    }
  }
  return out;
}

CloverInverse invert_clover(const Geometry& geometry, const CloverField& term, int lost_pivot) {
  CloverInverse out{CloverField(term.size(), Pages::huge, "the inverse of the clover term"), 0};
  std::vector<double> log_dets(term.size());
  std::int64_t failed = -1;
  const auto sites = static_cast<std::int64_t>(term.size());
#pragma omp parallel for schedule(static) reduction(max : failed)
  for (std::int64_t x = 0; x < sites; ++x) {
    for (int chirality = 0; chirality < 2; ++chirality) {
      const auto block = inverted(term[x].block[chirality], x + 1 == sites ? lost_pivot : -1);
      if (!block) {
        failed = std::max(failed, x);
        continue;
      }
      out.field[x].block[chirality] = block->inverse;
      log_dets[static_cast<std::size_t>(x)] += block->log_det;
    }
  }
  if (failed >= 0) {
    const Index4 x = geometry.global(static_cast<int>(failed));
    std::string at;
    for (const int coordinate : x) at += (at.empty() ? "" : ",") + std::to_string(coordinate);
    refuse("the clover term at site " + at +
           " (x,y,z,t) has a pivot below 1e-12 of its norm, so that it has no safe inverse; take smaller --csw or "
           "--kappa, or other links");
  }
  for (const double each : log_dets) out.log_det += each;
  return out;
}

double inverse_error(const CloverField& term, const CloverField& inverse) {
  double worst = 0;
  for (std::size_t x = 0; x < term.size(); ++x) {
    for (int chirality = 0; chirality < 2; ++chirality) {
      const CloverBlock& t = term[x].block[chirality];
      const CloverBlock& v = inverse[x].block[chirality];
      for (int i = 0; i < block_size; ++i) {
        for (int j = 0; j < block_size; ++j) {
          C sum = element(v, i, j);  // V (1 + t)
          for (int k = 0; k < block_size; ++k) sum = sum + element(v, i, k) * element(t, k, j);
          if (i == j) sum.re -= 1;
          worst = larger(worst, std::sqrt(square(sum)));
        }
      }
    }
  }
  return worst;
}

double clover_energy(const CloverField& term, double kappa, double csw) {
  double all = 0;
  for (const CloverSite& site : term) {
    double of_site = 0;
    for (const CloverBlock& block : site.block) {
      for (const double d : block.diagonal) of_site += d * d;
      for (const C& a : block.below) of_site += 2 * square(a);
    }
    all += of_site;
  }
  return all / (4 * kappa * csw * kappa * csw);
}

}  // namespace tenken::qcd
