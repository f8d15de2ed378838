/* linear.h - the model near a point, its modes, and what a method makes of
 * them.
 *
 *   in    Sim       at a consistent point, lowered with LoweredReference
 *   out   Linear    x' = A x + B u, y = C x + D u, eigenvalues of A
 *
 * The model is F(x', z, x, u) = 0 with x the states after index reduction and
 * z all other continuous unknowns. With M = [dF/dx' dF/dz],
 *
 *     d(x', z) = -M^-1 (dF/dx dx + dF/du du)
 *
 * whose first rows are A and B; an output is a state, an input or one of the
 * x', z. Entries are the symbolic Jacobian's, central differences where a
 * function has no derivative. Discrete variables and relations are held.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LINEAR_LINEAR_H
#define TAKT_LINEAR_LINEAR_H

#include "plan/method.h"
#include "sim/sim.h"

enum { LINEAR_MOST = 2000 }; /* states and inputs */

/* Matrices stand by columns: A(i, j) is a[i + j * nx]. */
typedef struct Linear {
    int nx, nu, ny;
    const char **x, **u, **y; /* names */
    double *a, *b, *c, *d;
    double *re, *im; /* eigenvalues of A, size nx; NULL before linear_modes */
    double *share;   /* share[k + i * nx]: of state k in mode i, by left and
                        right eigenvectors; the shares of a mode sum to 1 */
} Linear;

/* Linearises at the present point of the run. Everything lives in `arena`.
 * NULL after a report: too large, M singular, values that are not finite. */
Linear *linear_new(Sim *s, Arena *arena, Diag *diag);
/* Finds eigenvalues and shares (dgeev), the one with the largest real part
 * first; of equal ones that with the largest imaginary part, a pair together.
 * False if it does not converge. */
bool linear_modes(Linear *l, Arena *arena);
/* "R1.v, C2.v": the states with the largest shares in mode i, at most five. */
const char *linear_mode_states(const Linear *l, int i, Arena *arena);

/* |R(z)|: by which factor one step changes a mode with h lambda = z. For a
 * multistep method the largest root; for a cycle the geometric mean of its
 * parts. INFINITY at a pole, 1 for the method `none`. */
double stability_growth(const Method *m, double re, double im);

/* What a step of size h does to the modes. */
typedef struct StabilityReport {
    int unstable;   /* decaying mode that grows most, NONE */
    int nunstable;  /* how many */
    double growth;  /* its factor per step */
    double largest; /* largest step that makes none of them grow; 0: none was
                       found */
    int hidden;     /* growing mode that is damped most, NONE */
    int nhidden;
    double damping; /* its factor per step */
} StabilityReport;

StabilityReport stability_look(const Linear *l, const Method *m, double h);

/* Says what stability_look() found, with the states involved: W1350, W1351. */
void stability_warn(const Linear *l, const Method *m, double h, Span span,
                    Arena *arena, Diag *diag);

/* Does the Jacobian depend on the unknowns? Compared at the present point and
 * at one away from it, which leaves the point as it is. */
bool linear_is_constant(Sim *s, Arena *arena);

/* A method and a step where the user gave none. `step` is what the length of
 * the run suggests; the choice divides it by at most 20. Linear models whose
 * fastest mode such a step resolves get rk4; all others radau3, which is
 * L-stable: a nonlinear model may become stiff later. */
typedef struct StabilityChoice {
    const char *method;
    double step;
    const char *why; /* one line */
} StabilityChoice;

StabilityChoice stability_choose(const Linear *l, double step, bool is_constant,
                                 bool has_events, Arena *arena);

#endif
