/* model.c - the tape of a model, run in quadruple precision. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/number.h"
#include "quad/libquad.h"
#include "quad/quad.h"

Quad quad_abs(Quad x)
{
    return fabsq(x);
}

Quad quad_decimal(double x)
{
    char text[64];
    return strtoflt128(number_text(x, text), NULL);
}

const char *quad_text(Quad x, Arena *arena)
{
    char text[64];
    quadmath_snprintf(text, sizeof text, QUAD_FORMAT, x);
    return arena_strdup(arena, text);
}

/* ---- instructions ---- */

static Quad divide_integer(Quad a, Quad b)
{
    return truncq(a / b);
}

/* As expr_apply(): the functions of ops.def under the names of libquadmath. */
#define sin   sinq
#define cos   cosq
#define tan   tanq
#define asin  asinq
#define acos  acosq
#define atan  atanq
#define atan2 atan2q
#define sinh  sinhq
#define cosh  coshq
#define tanh  tanhq
#define exp   expq
#define log   logq
#define log10 log10q
#define sqrt  sqrtq
#define fabs  fabsq
#define floor floorq
#define ceil  ceilq
static bool apply(int op, Quad a, Quad b, Quad c, Quad *out)
{
    switch (op) {
    case TAPE_COPY: *out = a; break;
    case EX_ADD: *out = a + b; break;
    case EX_SUB: *out = a - b; break;
    case EX_MUL: *out = a * b; break;
    case EX_DIV: *out = a / b; break;
    case EX_POW: *out = powq(a, b); break;
    case EX_NEG: *out = -a; break;
#define FUNCTION(name, text, narg, properties, instructions, fn, inputs,       \
                 value, derivative, inverse)                                   \
    case EX_##name:                                                            \
        *out = value;                                                          \
        break;
#include "expr/ops.def"
    case EX_TOINT:
    case EX_NOEVENT:
    case EX_HOMOTOPY: *out = a; break;
    case EX_LT: *out = a < b; break;
    case EX_LE: *out = a <= b; break;
    case EX_GT: *out = a > b; break;
    case EX_GE: *out = a >= b; break;
    case EX_EQ: *out = a == b; break;
    case EX_NE: *out = a != b; break;
    case EX_AND: *out = a != 0 && b != 0; break;
    case EX_OR: *out = a != 0 || b != 0; break;
    case EX_NOT: *out = a == 0; break;
    case EX_IF: *out = a != 0 ? b : c; break;
    case EX_SMOOTH: *out = b; break;
    case EX_SEMILINEAR: *out = a >= 0 ? a * b : a * c; break;
    default: return false;
    }
    return true;
}

/* False at an instruction that has no meaning here. */
static bool run(QuadModel *m, const TapeSegment *s)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &m->tape->code.at[i];
        if (in->op != TAPE_COPY && tape_op_kind(in->op) != TI_PLAIN)
            return false;
        unsigned reads = tape_op_reads(in->op);
        Quad a = reads & 1 ? m->r[in->a] : 0;
        Quad b = reads & 2 ? m->r[in->b] : 0;
        Quad c = reads & 4 ? m->r[in->c] : 0;
        if (!apply(in->op, a, b, c, &m->r[in->dst]))
            return false;
    }
    return true;
}

/* ---- the model ---- */

static void put(QuadModel *m, Quad t, const Quad *y, const Quad *yp)
{
    m->r[m->tape->time] = t;
    for (int i = 0; i < m->n; i++)
        m->r[m->ref->y[i]] = y[i];
    for (int i = 0; i < m->nx; i++)
        m->r[m->ref->yp[i]] = yp ? yp[i] : 0;
}

void quad_eval(QuadModel *m, Quad t, const Quad *y, const Quad *yp, Quad *f)
{
    put(m, t, y, yp);
    run(m, &m->ref->eval);
    m->evaluations++;
    for (int i = 0; i < m->n; i++)
        f[i] = m->r[m->ref->residual[i]];
}

void quad_jacobian(QuadModel *m, Quad t, const Quad *y, const Quad *yp)
{
    const LoweredReference *ref = m->ref;
    size_t n = (size_t)m->n;
    put(m, t, y, yp);
    run(m, &ref->eval); /* parts that both have */
    run(m, &ref->jacobian);
    memset(m->a, 0, n * n * sizeof *m->a);
    memset(m->b, 0, n * n * sizeof *m->b);
    for (int k = 0; k < ref->nnz; k++) {
        Quad *to = ref->is_yp[k] ? m->b : m->a;
        to[(size_t)ref->row[k] + (size_t)ref->col[k] * n] +=
            m->r[ref->entry[k]];
    }
}

bool quad_solve_model(QuadModel *m, Quad t, Quad *y, Quad *yp)
{
    int n = m->n;
    Arena *work = arena_new();
    Quad *f = NEW_ARRAY(work, Quad, n);
    int *pivot = NEW_ARRAY(work, int, n);
    Quad last = 1e30;
    bool done = false;
    for (int k = 0; k < 60 && !done; k++) {
        quad_jacobian(m, t, y, yp);
        quad_eval(m, t, y, yp, f);
        for (int j = 0; j < m->nx; j++)
            memcpy(m->a + j * n, m->b + j * n, (size_t)n * sizeof *f);
        if (!quad_factor(n, m->a, pivot))
            break;
        quad_solve(n, m->a, pivot, f);
        Quad size = 0;
        for (int i = 0; i < n; i++) {
            Quad *x = i < m->nx ? &yp[i] : &y[i];
            *x -= f[i];
            Quad off = fabsq(f[i]) / (1 + fabsq(*x));
            size = off > size ? off : size;
        }
        done = size < 1e-31 || (size < 1e-28 && size >= last);
        last = size;
    }
    arena_free(work);
    return done;
}

static const char *what_is_missing(const Sim *s)
{
    const Inlined *d = s->low->inlined;
    const LoweredReference *ref = s->low->reference;
    if ((Quad)1 + (Quad)1e-30 == (Quad)1)
        return "the compiler of takt has no such numbers";
    if (!ref)
        return "its equations are not at hand";
    if (d->nrelation > 0)
        return "it has events";
    if (d->ndelay > 0 || (d->dae && d->dae->nset > 0))
        return "it has delays, or states that change";
    if (ref->nu > 0)
        return "it has inputs";
    for (int k = 0; k < ref->nnz; k++)
        if (ref->entry_expr[k] == EXPR_NONE)
            return "a function in it has no derivative";
    return NULL;
}

static QuadModel *begin(const Sim *sim, Arena *arena)
{
    const LoweredReference *ref = sim->low->reference;
    const Tape *t = sim->low->tape;
    size_t n = (size_t)ref->n;
    QuadModel *m = NEW(arena, QuadModel);
    *m = (QuadModel){.tape = t,
                     .ref = ref,
                     .r = NEW_ARRAY(arena, Quad, t->nslot),
                     .n = ref->n,
                     .start = quad_decimal(sim->exec->r[t->time]),
                     .y = NEW_ARRAY(arena, Quad, n + 1),
                     .yp = NEW_ARRAY(arena, Quad, n + 1),
                     .a = NEW_ARRAY(arena, Quad, n * n + 1),
                     .b = NEW_ARRAY(arena, Quad, n * n + 1),
                     .arena = arena};
    for (int i = 0; i < t->nslot; i++)
        m->r[i] = quad_decimal(sim->exec->r[i]);
    while (m->nx < m->n && ref->yp[m->nx] != NONE)
        m->nx++;
    m->has_constant_mass = true;
    for (int k = 0; k < ref->nnz; k++) {
        double x;
        m->has_constant_mass &=
            !ref->is_yp[k] ||
            expr_is_const(sim->low->inlined->dag, ref->entry_expr[k], &x);
    }
    for (int i = 0; i < m->n; i++)
        m->y[i] = m->r[ref->y[i]];
    for (int i = 0; i < m->nx; i++)
        m->yp[i] = m->r[ref->yp[i]];
    return m;
}

QuadModel *quad_new(const Sim *sim, Arena *arena, Diag *diag)
{
    const char *missing = what_is_missing(sim);
    QuadModel *m = missing ? NULL : begin(sim, arena);
    const TapeSegment *param = m ? tape_find_segment(m->tape, "param") : NULL;
    if (m && ((param && !run(m, param)) || !run(m, &m->ref->eval) ||
              !run(m, &m->ref->jacobian)))
        missing = "it calls functions that are known in double precision only";
    else if (m && !quad_solve_model(m, m->start, m->y, m->yp))
        missing = "no consistent start was found";
    if (!missing)
        return m;
    diag_report(diag, sim->low->inlined->sys->flat->span, DIAG_E1390,
                "the model has no form in quadruple precision: %s", missing);
    return NULL;
}
