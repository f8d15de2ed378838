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
/* Finds eigenvalues and shares, the one with the largest real part
 * first; of equal ones that with the largest imaginary part, a pair together.
 * False if it does not converge. */
bool linear_modes(Linear *l, Arena *arena);
/* "R1.v, C2.v": the states with the largest shares in mode i, at most five. */
const char *linear_mode_states(const Linear *l, int i, Arena *arena);

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
    int missed;     /* fastest growing mode that grows otherwise, by less than
                       half or more than twice; NONE */
    int nmissed;
    double wrong; /* its factor per step */
    int lost;     /* ringing mode that is damped away most, NONE */
    int nlost;
    double loss; /* logarithm of what is lost of it: stability_loss */
} StabilityReport;

/* A mode that rings in the model (its damping ratio is at most 0.1) loses by
 * the method, beyond what it loses anyway, this much of its amplitude as long
 * as it can be seen: `length`, or three times its own time 1/|re|. The
 * logarithm; 0 for modes that do not ring or that grow. */
double stability_loss(const Method *m, double h, double length, double re,
                      double im);

/* `length` of the run, s. */
StabilityReport stability_look(const Linear *l, const Method *m, double h,
                               double length);

/* Which of the three were said: each is said once. */
typedef struct StabilitySaid {
    bool unstable, hidden, lost;
} StabilitySaid;

/* Says what stability_look() found at `time`, with the states involved: W1350,
 * W1351, W1355. */
void stability_warn(const Linear *l, const Method *m, double h, double length,
                    double time, Span span, StabilitySaid *said, Arena *arena,
                    Diag *diag);

/* ---- watch.c: the modes along a run ---- */

typedef struct ModeWatchOptions {
    const Method *method;
    double step, start, length; /* s */
    Span span;                  /* of the messages */
} ModeWatchOptions;

typedef struct ModeWatch ModeWatch;

/* Looks at the modes of `run` by the Jacobian of `reference`, a Lowered of the
 * same model and method with its reference. Lives in `arena`, and until
 * mode_watch_free. NULL: there is nothing to look at. */
ModeWatch *mode_watch_new(const Sim *run, const Lowered *reference,
                          const ModeWatchOptions *o, Arena *arena, Diag *diag);
/* At a point of the run, which is not changed: looks if it is time for it. */
void mode_watch_see(ModeWatch *w, const Sim *run, double time);
void mode_watch_free(ModeWatch *w);

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
