/* exchange.c - model exchange, tried out: the state machine with wrong orders,
 * an integration with events, derivatives along directions against differences,
 * saved states. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
    const Fmu *f;
    Instance *i;
    size_t nx, nz;
    double t, next;
    double *x, *dx, *z, *old;
    unsigned *state, *slope; /* references */
    int nevent;
    double limit; /* beyond it the explicit steps were too long, not the FMU */
} Run;

static unsigned state_of(const Fmu *f, int slope)
{
    int of = f->variable[slope].derivative;
    return f->version == 2 ? f->variable[of - 1].reference : (unsigned)of;
}

static Run begin(const Fmu *f, const char *name)
{
    size_t nx = (size_t)f->nslope, nz = (size_t)f->nindicator;
    Run r = {.f = f,
             .i = fmu_new_exchange(f, name),
             .nx = nx,
             .nz = nz,
             .t = f->start,
             .x = calloc(nx + 1, sizeof(double)),
             .dx = calloc(5 * (nx + 1), sizeof(double)),
             .z = calloc(nz + 1, sizeof(double)),
             .old = calloc(nz + 1, sizeof(double)),
             .state = calloc(nx + 1, sizeof(unsigned)),
             .slope = calloc(nx + 1, sizeof(unsigned))};
    for (size_t k = 0; k < nx; k++) {
        r.slope[k] = f->variable[f->slope[k]].reference;
        r.state[k] = state_of(f, f->slope[k]);
    }
    return r;
}

static void end(Run *r)
{
    fmu_free(r->i);
    free(r->x);
    free(r->dx);
    free(r->z);
    free(r->old);
    free(r->state);
    free(r->slope);
}

/* ---- the state machine ---- */

static void refuse_running(Run *r)
{
    bool a, b;
    EventInfo e;
    CHECK(fmu_vector(r->i, "SetContinuousStates", r->x, r->nx) == ERROR);
    CHECK(fmu_completed(r->i, &a, &b) == ERROR);
    CHECK(fmu_set_time(r->i, 1) == ERROR);
    CHECK(fmu_update(r->i, &e) == ERROR);
    CHECK(fmu_plain(r->i, "EnterContinuousTimeMode") == ERROR);
    CHECK(fmu_plain(r->i, "EnterEventMode") == ERROR);
}

static void walk_events(Run *r)
{
    EventInfo e;
    bool a, b;
    CHECK(fmu_vector(r->i, "SetContinuousStates", r->x, r->nx) == ERROR);
    CHECK(fmu_completed(r->i, &a, &b) == ERROR);
    CHECK(fmu_step(r->i, r->t, r->f->step, &a) == ERROR); /* co-simulation */
    CHECK(fmu_update(r->i, &e) <= WARNING && !e.more);
    CHECK(fmu_update(r->i, &e) <= WARNING && !e.states_changed);
    CHECK(!e.has_next || e.next > r->f->start);
    CHECK(fmu_plain(r->i, "EnterContinuousTimeMode") == OK);
    CHECK(fmu_plain(r->i, "EnterContinuousTimeMode") == ERROR);
    CHECK(fmu_update(r->i, &e) == ERROR);
}

static void walk_continuous(Run *r)
{
    bool a, b;
    for (int k = 0; k < r->f->nvariable; k++) {
        const Variable *v = &r->f->variable[k];
        double x = 0;
        if (strcmp(v->causality, "parameter") || v->type != 'r')
            continue;
        CHECK(fmu_get(r->i, v, &x) <= WARNING);
        CHECK(fmu_set(r->i, v, x) == ERROR); /* at events only */
        break;
    }
    CHECK(fmu_vector(r->i, "GetContinuousStates", r->x, r->nx) == OK);
    CHECK(fmu_vector(r->i, "GetContinuousStates", r->x, r->nx + 1) == ERROR);
    CHECK(fmu_vector(r->i, "GetDerivatives", r->dx, r->nx) <= WARNING);
    CHECK(fmu_vector(r->i, "GetEventIndicators", r->z, r->nz) <= WARNING);
    CHECK(fmu_vector(r->i, "GetEventIndicators", r->z, r->nz + 1) == ERROR);
    CHECK(fmu_vector(r->i, "GetNominalsOfContinuousStates", r->dx, r->nx) ==
          OK);
    for (size_t k = 0; k < r->nx; k++)
        CHECK(r->dx[k] > 0);
    CHECK(fmu_vector(r->i, "SetContinuousStates", r->x, r->nx) == OK);
    if (r->nx > 0) {
        double x = r->x[0];
        r->x[0] = NAN;
        CHECK(fmu_vector(r->i, "SetContinuousStates", r->x, r->nx) > WARNING);
        r->x[0] = x;
        CHECK(fmu_vector(r->i, "SetContinuousStates", r->x, r->nx) == OK);
    }
    CHECK(fmu_set_time(r->i, r->t) == OK);
    CHECK(fmu_completed(r->i, &a, &b) <= WARNING);
    CHECK(fmu_plain(r->i, "EnterEventMode") == OK);
}

static void walk(const Fmu *f)
{
    Run r = begin(f, "walk");
    CHECK(r.i);
    for (int turn = 0; r.i && turn < 2; turn++) {
        refuse_running(&r);
        CHECK(fmu_enter(r.i, f->start, false, 0) == OK);
        refuse_running(&r);
        CHECK(fmu_vector(r.i, "GetContinuousStates", r.x, r.nx) <= WARNING);
        CHECK(fmu_vector(r.i, "GetDerivatives", r.dx, r.nx) <= WARNING);
        CHECK(fmu_exit(r.i) <= WARNING);
        walk_events(&r);
        walk_continuous(&r);
        CHECK(fmu_terminate(r.i) == OK);
        refuse_running(&r);
        CHECK(fmu_reset(r.i) == OK);
    }
    end(&r);
    Instance *c = f->step > 0 ? fmu_new(f, "other") : NULL;
    if (c && fmu_begin(c, f->start) <= WARNING) {
        CHECK(fmu_plain(c, "EnterEventMode") == ERROR);
        CHECK(fmu_set_time(c, 0) == ERROR);
    }
    if (c)
        fmu_free(c);
}

/* ---- an integration ---- */

static bool settle(Run *r)
{
    EventInfo e;
    int status, n = 0;
    do
        status = fmu_update(r->i, &e);
    while (status <= WARNING && e.more && ++n < 100);
    CHECK(status <= WARNING && !e.more);
    r->next = e.has_next ? e.next : HUGE_VAL;
    CHECK(r->next > r->t);
    CHECK(fmu_plain(r->i, "EnterContinuousTimeMode") == OK);
    CHECK(fmu_vector(r->i, "GetContinuousStates", r->x, r->nx) == OK);
    CHECK(fmu_vector(r->i, "GetEventIndicators", r->old, r->nz) <= WARNING);
    return status <= WARNING && !e.ends;
}

static void rates(Run *r, double t, const double *x, double *dx)
{
    CHECK(fmu_set_time(r->i, t) == OK);
    CHECK(fmu_vector(r->i, "SetContinuousStates", (double *)x, r->nx) == OK);
    CHECK(fmu_vector(r->i, "GetDerivatives", dx, r->nx) <= WARNING);
}

/* Runge and Kutta's step of length h from the present point to `to`. */
static void step(Run *r, double h, double *to)
{
    static const double c[4] = {0, 0.5, 0.5, 1}, b[4] = {1, 2, 2, 1};
    for (size_t k = 0; k < r->nx; k++)
        to[k] = r->x[k];
    double *point = r->dx + 4 * r->nx;
    for (int s = 0; s < 4; s++) {
        for (size_t k = 0; k < r->nx; k++)
            point[k] =
                r->x[k] +
                (s > 0 ? c[s] * h * r->dx[(size_t)(s - 1) * r->nx + k] : 0);
        rates(r, r->t + c[s] * h, point, r->dx + (size_t)s * r->nx);
        for (size_t k = 0; k < r->nx; k++)
            to[k] += h / 6 * b[s] * r->dx[(size_t)s * r->nx + k];
    }
}

/* Has an indicator changed its side at the end of such a step? */
static bool crosses(Run *r, double h, double *to)
{
    bool any = false;
    step(r, h, to);
    CHECK(fmu_set_time(r->i, r->t + h) == OK);
    CHECK(fmu_vector(r->i, "SetContinuousStates", to, r->nx) == OK);
    CHECK(fmu_vector(r->i, "GetEventIndicators", r->z, r->nz) <= WARNING);
    for (size_t k = 0; k < r->nz; k++)
        any |= (r->z[k] > 0) != (r->old[k] > 0);
    return any;
}

static double largest(const Run *r)
{
    double most = 1;
    for (size_t k = 0; k < r->nx; k++)
        most = fmax(most, fabs(r->x[k]));
    return most;
}

/* To `stop`, with events where they are. False: the model has ended, or is too
 * stiff for these steps. */
static bool integrate(Run *r, double stop, double most, double *room)
{
    while (r->t < stop && !nfailed) {
        double h = fmin(most, stop - r->t), upper;
        bool timed = r->next <= r->t + h;
        if (timed)
            h = r->next - r->t;
        bool crossed = crosses(r, h, room);
        if (crossed) {
            double lower = 0;
            for (upper = h; upper - lower > 1e-12 * h;) {
                double mid = (lower + upper) / 2;
                if (crosses(r, mid, room))
                    upper = mid;
                else
                    lower = mid;
            }
            timed = timed && upper >= h;
            h = upper;
            crosses(r, h, room);
        }
        r->t = timed ? r->next : r->t + h;
        memcpy(r->x, room, r->nx * sizeof *room);
        if (!(largest(r) <= r->limit))
            return false;
        bool asks, ends;
        CHECK(fmu_set_time(r->i, r->t) == OK);
        CHECK(fmu_completed(r->i, &asks, &ends) <= WARNING);
        if (ends)
            return false;
        if (!crossed && !timed && !asks)
            continue;
        r->nevent++;
        CHECK(fmu_plain(r->i, "EnterEventMode") == OK);
        if (!settle(r))
            return false;
    }
    return true;
}

/* ---- directions ---- */

/* How far `by` is from central differences of width h by state k. */
static double difference(Run *r, size_t k, double h, const double *by,
                         double *low, double *high)
{
    double x = r->x[k], size = 1e-3, worst = 0;
    r->x[k] = x + h;
    rates(r, r->t, r->x, high);
    r->x[k] = x - h;
    rates(r, r->t, r->x, low);
    r->x[k] = x;
    for (size_t i = 0; i < r->nx; i++)
        size = fmax(size, fabs(by[i]));
    for (size_t i = 0; i < r->nx; i++)
        worst = fmax(worst, fabs(by[i] - (high[i] - low[i]) / (2 * h)) / size);
    return worst;
}

/* Column k of the derivatives by the states. Wide differences suffer from
 * curvature, narrow ones from rounding. */
static double column_error(Run *r, size_t k, double *by, double *low,
                           double *high)
{
    double one = 1, size = fmax(1, fabs(r->x[k]));
    rates(r, r->t, r->x, low);
    CHECK(fmu_directional(r->i, r->slope, r->nx, &r->state[k], 1, &one, by) ==
          OK);
    double wide = difference(r, k, 1e-6 * size, by, low, high);
    return wide <= 1e-6
               ? wide
               : fmin(wide, difference(r, k, 1e-8 * size, by, low, high));
}

/* u J v in both directions. */
static void check_adjoint(Run *r)
{
    double u[1000], v[1000], jv[1000], uj[1000], a = 0, b = 0, size = 1e-30;
    for (size_t k = 0; k < r->nx; k++) {
        u[k] = 1 + (double)(k % 7);
        v[k] = 2 - (double)(k % 5);
    }
    CHECK(fmu_directional(r->i, r->slope, r->nx, r->state, r->nx, v, jv) == OK);
    CHECK(fmu_adjoint(r->i, r->slope, r->nx, r->state, r->nx, u, uj) == OK);
    for (size_t k = 0; k < r->nx; k++) {
        a += u[k] * jv[k];
        b += uj[k] * v[k];
        size += fabs(u[k] * jv[k]) + fabs(uj[k] * v[k]);
    }
    CHECK(fabs(a - b) <= 1e-9 * size);
}

static double check_directions(Run *r)
{
    double worst = 0, *room = calloc(3 * r->nx + 1, sizeof *room);
    unsigned strange = 4000000000u;
    double one = 1, value;
    for (size_t k = 0; k < r->nx; k++)
        worst = fmax(worst,
                     column_error(r, k, room, room + r->nx, room + 2 * r->nx));
    rates(r, r->t, r->x, room);
    if (r->f->version == 3)
        check_adjoint(r);
    if (r->nx > 0)
        CHECK(fmu_directional(r->i, r->slope, 1, &strange, 1, &one, &value) ==
              ERROR);
    free(room);
    return worst;
}

/* ---- all of it ---- */

static void values(Run *r, double *out)
{
    for (int k = 0; k < r->f->nvariable; k++)
        if (r->f->variable[k].type != 's')
            CHECK(fmu_get(r->i, &r->f->variable[k], &out[k]) <= WARNING);
}

/* Saved, serialised, restored in another instance: the same way on. */
static void check_states(Run *r, double stop, double most, double *room)
{
    size_t n = (size_t)r->f->nvariable, size;
    double *a = calloc(2 * n, sizeof *a), t = r->t, next = r->next;
    double *x = calloc(r->nx + 1, sizeof *x), *z = calloc(r->nz + 1, sizeof *z);
    void *state = NULL, *copy = NULL;
    unsigned char *bytes;
    memcpy(x, r->x, r->nx * sizeof *x);
    memcpy(z, r->old, r->nz * sizeof *z);
    CHECK(fmu_save(r->i, &state) == OK);
    CHECK(fmu_serialize(r->i, state, &bytes, &size) == OK);
    integrate(r, stop, most, room);
    values(r, a);
    Run other = begin(r->f, "other");
    CHECK(fmu_deserialize(other.i, bytes, size, &copy) == OK);
    CHECK(fmu_restore(other.i, copy) == OK);
    memcpy(other.x, x, r->nx * sizeof *x);
    memcpy(other.old, z, r->nz * sizeof *z);
    other.t = t;
    other.next = next;
    other.limit = r->limit;
    integrate(&other, stop, most, room);
    values(&other, a + n);
    CHECK(memcmp(a, a + n, n * sizeof *a) == 0);
    fmu_forget(r->i, &state);
    fmu_forget(other.i, &copy);
    end(&other);
    free(a);
    free(x);
    free(z);
    free(bytes);
}

int exchange(const Fmu *f, double stop, double most)
{
    CHECK(f->is_exchange);
    walk(f);
    Run r = begin(f, "run");
    double *room = calloc(r.nx + 1, sizeof *room), worst = 0;
    CHECK(fmu_begin(r.i, f->start) <= WARNING);
    bool goes = settle(&r);
    r.limit = 1e3 * largest(&r);
    for (int k = 1; k <= 4 && goes && !nfailed; k++) {
        if (f->is_directional)
            worst = fmax(worst, check_directions(&r));
        goes = integrate(&r, f->start + k * (stop - f->start) / 5, most, room);
    }
    CHECK(worst <= 1e-5);
    if (goes && !nfailed)
        check_states(&r, stop, most, room);
    printf("t = %.9g: %d events, derivatives to %.1e", r.t, r.nevent, worst);
    for (size_t k = 0; k < r.nx && k < 4; k++)
        printf(" %.9g", r.x[k]);
    printf("\n");
    end(&r);
    free(room);
    return nfailed;
}

/* ---- equations without a solution ---- */

static void place(Run *r, double x)
{
    r->x[0] = x;
    CHECK(fmu_vector(r->i, "SetContinuousStates", r->x, r->nx) == OK);
}

static Run begin_continuous(const Fmu *f, const char *name)
{
    Run r = begin(f, name);
    CHECK(fmu_begin(r.i, f->start) == OK);
    CHECK(settle(&r));
    return r;
}

int go_far(const Fmu *f, double far, double near)
{
    size_t n = (size_t)f->nvariable;
    double *a = calloc(2 * n, sizeof *a), worst = 0;
    Run r = begin_continuous(f, "far"), other = begin_continuous(f, "near");
    place(&r, near);
    values(&r, a);
    for (int turn = 0; turn < 2; turn++) {
        place(&r, far);
        CHECK(fmu_vector(r.i, "GetDerivatives", r.dx, r.nx) == DISCARD);
    }
    printf("%s\n", fmu_said());
    place(&r, near);
    values(&r, a);
    place(&other, near);
    values(&other, a + n);
    for (size_t k = 0; k < n; k++)
        worst = fmax(worst, fabs(a[k] - a[n + k]));
    CHECK(worst <= 1e-9);
    end(&r);
    end(&other);
    free(a);
    return nfailed;
}

/* ---- indicators that are 0 ---- */

/* Some integrators take what comes from 0 for no change: after an event none
 * may be 0. Returns whether there was one. */
static bool look(Run *r)
{
    bool crossed = false;
    CHECK(fmu_vector(r->i, "GetEventIndicators", r->z, r->nz) == OK);
    for (size_t k = 0; k < r->nz; k++)
        crossed |= (r->z[k] > 0) != (r->old[k] > 0);
    if (crossed) {
        CHECK(fmu_plain(r->i, "EnterEventMode") == OK);
        CHECK(settle(r));
    }
    CHECK(fmu_vector(r->i, "GetEventIndicators", r->old, r->nz) == OK);
    for (size_t k = 0; k < r->nz; k++)
        CHECK(r->old[k] < 0 || r->old[k] > 0);
    return crossed;
}

int go_to_zeros(const Fmu *f)
{
    Run r = begin_continuous(f, "zeros");
    int nevent = 0;
    CHECK(r.nz > 0);
    for (int k = 0; k <= 16; k++) {
        place(&r, 0.25 * (k <= 8 ? k : 16 - k));
        nevent += look(&r);
    }
    printf("%d events", nevent);
    for (int k = 0; k < f->nvariable; k++) {
        double x = 0;
        if (strcmp(f->variable[k].causality, "output") == 0 &&
            fmu_get(r.i, &f->variable[k], &x) == OK)
            printf(" %s %g", f->variable[k].name, x);
    }
    printf("\n");
    end(&r);
    return nfailed;
}
