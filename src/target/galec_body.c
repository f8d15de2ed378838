/* galec_body.c - the instructions of a segment as statements of GALEC.
 *
 * Truths are the numbers 0 and 1, as on the tape. Functions carry the names of
 * eFMI 1.0.0, section 3.2.6; those that GALEC lacks, or defines with another
 * sign of 0, are written as selections. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>

#include "base/die.h"
#include "base/status.h"
#include "num/table.h"
#include "target/galec_internal.h"

void galec_line(GalecWork *w, const char *fmt, ...)
{
    va_list ap;
    fprintf(w->out, "%*s", 2 * w->depth, "");
    va_start(ap, fmt);
    vfprintf(w->out, fmt, ap);
    va_end(ap);
    fputc('\n', w->out);
}

/* ---- what is there ---- */

static const char *refused(const GalecWork *w, const TapeInstr *in)
{
    const Tape *t = w->t;
    switch (in->op) {
    case TAPE_PAST:
    case TAPE_RECORD: return "delay()";
    case TAPE_PUT:
    case TAPE_GET:
    case TAPE_CHOOSE: return "states that are chosen as it runs";
    case TAPE_CALL:
    case TAPE_PICK: return t->call.at[in->a].fn->name;
    case TAPE_LEAVE: return "a loop that depends on data";
    case TAPE_BLOCK:
        return t->block.at[in->a].is_damped ? "an iteration to convergence"
                                            : NULL;
    case TAPE_FACTOR:
    case TAPE_SOLVE:
        return t->system.at[in->a].kind == TS_PIVOT
                   ? "pivots that are looked for as it runs"
                   : NULL;
    default: return NULL;
    }
}

const char *galec_refuses(const GalecWork *w, const TapeSegment *s)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        const char *what = refused(w, &w->t->code.at[i]);
        if (what)
            return what;
    }
    return NULL;
}

void galec_writes(const GalecWork *w, const TapeSegment *s, bool *written)
{
    for (int i = s->first; i < s->first + s->count; i++) {
        const TapeInstr *in = &w->t->code.at[i];
        int dst = tape_writes(in), first;
        if (dst != NONE)
            written[dst] = true;
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &w->t->block.at[in->a];
            for (int k = 0; k < b->n; k++)
                written[b->x[k]] = true;
        }
        if (in->op != TAPE_FACTOR && in->op != TAPE_SOLVE)
            continue;
        int n = galec_factor_writes(&w->t->system.at[in->a],
                                    in->op == TAPE_SOLVE, &first);
        for (int k = 0; k < n; k++)
            written[first + k] = true;
    }
}

/* ---- numbers ---- */

static const char *function_name(int op)
{
    switch (op) {
    case EX_SIN: return "sin";
    case EX_COS: return "cos";
    case EX_TAN: return "tan";
    case EX_ASIN: return "asin";
    case EX_ACOS: return "acos";
    case EX_ATAN: return "atan";
    case EX_ATAN2: return "atan2";
    case EX_SINH: return "sinh";
    case EX_COSH: return "cosh";
    case EX_TANH: return "tanh";
    case EX_EXP: return "exp";
    case EX_LOG: return "ln";
    case EX_LOG10: return "lg";
    case EX_SQRT: return "sqrt";
    case EX_ABS: return "absolute";
    case EX_FLOOR:
    case EX_INTEGER: return "roundDown";
    case EX_CEIL: return "roundUp";
    default: return NULL;
    }
}

static const char *infix_of(int op)
{
    switch (op) {
    case EX_ADD: return "+";
    case EX_SUB: return "-";
    case EX_MUL: return "*";
    case EX_DIV: return "/";
    case EX_POW: return "^";
    default: return NULL;
    }
}

/* What makes the relation or operation `op` true; NULL: it is no truth. */
static const char *truth(GalecWork *w, int op, const char *a, const char *b)
{
    switch (op) {
    case EX_LT: return arena_printf(w->arena, "%s < %s", a, b);
    case EX_LE: return arena_printf(w->arena, "%s <= %s", a, b);
    case EX_GT: return arena_printf(w->arena, "%s > %s", a, b);
    case EX_GE: return arena_printf(w->arena, "%s >= %s", a, b);
    case EX_EQ: return arena_printf(w->arena, "%s == %s", a, b);
    case EX_NE: return arena_printf(w->arena, "%s <> %s", a, b);
    case EX_AND:
        return arena_printf(w->arena, "(%s <> 0.0) and (%s <> 0.0)", a, b);
    case EX_OR:
        return arena_printf(w->arena, "(%s <> 0.0) or (%s <> 0.0)", a, b);
    case EX_NOT: return arena_printf(w->arena, "%s == 0.0", a);
    default: return NULL;
    }
}

/* a / b towards zero, kept in `sum`. */
static void quotient(GalecWork *w, const char *a, const char *b)
{
    galec_line(w, "'takt.sum' := %s / %s;", a, b);
    galec_line(
        w, "'takt.sum' := (if 'takt.sum' < 0.0 then roundUp('takt.sum') else "
           "roundDown('takt.sum'));");
}

/* Operations that are selections or several statements. */
static void special(GalecWork *w, const TapeInstr *in, const char *to,
                    const char *a, const char *b, const char *c)
{
    switch (in->op) {
    case TAPE_COPY:
    case EX_TOINT:
    case EX_NOEVENT:
    case EX_HOMOTOPY: galec_line(w, "%s := %s;", to, a); break;
    case EX_SMOOTH: galec_line(w, "%s := %s;", to, b); break;
    case EX_NEG: galec_line(w, "%s := -%s;", to, a); break;
    case EX_SIGN:
        galec_line(w,
                   "%s := (if %s > 0.0 then 1.0 elseif %s < 0.0 then (-1.0) "
                   "else 0.0);",
                   to, a, a);
        break;
    case EX_MIN:
        galec_line(w, "%s := (if %s < %s then %s else %s);", to, b, a, b, a);
        break;
    case EX_MAX:
        galec_line(w, "%s := (if %s < %s then %s else %s);", to, a, b, b, a);
        break;
    case EX_IF:
        galec_line(w, "%s := (if %s <> 0.0 then %s else %s);", to, a, b, c);
        break;
    case EX_SEMILINEAR:
        galec_line(w, "%s := (if %s >= 0.0 then %s * %s else %s * %s);", to, a,
                   a, b, a, c);
        break;
    case EX_IDIV:
        quotient(w, a, b);
        galec_line(w, "%s := 'takt.sum';", to);
        break;
    case EX_REM:
        quotient(w, a, b);
        galec_line(w, "%s := %s - 'takt.sum' * %s;", to, a, b);
        break;
    case EX_MOD:
        galec_line(w, "%s := %s - roundDown(%s / %s) * %s;", to, a, a, b, b);
        break;
    default: unreachable();
    }
}

static void plain(GalecWork *w, const TapeInstr *in)
{
    int slot[3], n = tape_reads(in, slot);
    const char *arg[3] = {"", "", ""}, *to = w->ref[in->dst];
    for (int i = 0; i < n; i++)
        arg[i] = w->ref[slot[i]];
    const char *infix = infix_of(in->op), *function = function_name(in->op);
    const char *holds = truth(w, in->op, arg[0], arg[1]);
    if (infix)
        galec_line(w, "%s := %s %s %s;", to, arg[0], infix, arg[1]);
    else if (function && n == 1)
        galec_line(w, "%s := %s(%s);", to, function, arg[0]);
    else if (function)
        galec_line(w, "%s := %s(%s, %s);", to, function, arg[0], arg[1]);
    else if (holds)
        galec_line(w, "%s := (if %s then 1.0 else 0.0);", to, holds);
    else
        special(w, in, to, arg[0], arg[1], arg[2]);
}

/* ---- blocks and loops ---- */

static void range(GalecWork *w, int first, int count, bool is_watched);

static void begin_loop(GalecWork *w, int count)
{
    galec_line(w, "for 'takt.k%d' in 1:%d loop", ++w->nloop, count);
    w->depth++;
}

static void end_loop(GalecWork *w)
{
    w->depth--;
    galec_line(w, "end for;");
}

/* 0 times a number that is finite is 0. */
static void look(GalecWork *w, const char *ref)
{
    galec_line(w, "'takt.finite' := 'takt.finite' + 0.0 * %s;", ref);
}

static int block(GalecWork *w, int at, bool is_watched)
{
    const TapeBlock *b = &w->t->block.at[w->t->code.at[at].a];
    int size = b->neval + b->njac + b->nsolve;
    bool loops = b->iterations > 1;
    if (loops)
        begin_loop(w, b->iterations);
    range(w, at + 1, size, is_watched);
    for (int i = 0; i < b->n; i++)
        galec_line(w, "%s := %s - %s;", w->ref[b->x[i]], w->ref[b->x[i]],
                   w->ref[b->delta[i]]);
    if (loops)
        end_loop(w);
    for (int i = 0; is_watched && i < b->n; i++)
        look(w, w->ref[b->x[i]]);
    return size;
}

static void note(GalecWork *w, const TapeInstr *in)
{
    if (status_row[in->a].severity == SEVERITY_FAILED)
        galec_line(w,
                   "'takt.lost' := (if %s <= 0.0 then 'takt.lost' else 1.0);",
                   w->ref[in->b]);
}

static void range(GalecWork *w, int first, int count, bool is_watched)
{
    const Tape *t = w->t;
    for (int i = first; i < first + count; i++) {
        const TapeInstr *in = &t->code.at[i];
        switch (in->op) {
        case TAPE_BLOCK: i += block(w, i, is_watched); break;
        case TAPE_REPEAT:
            begin_loop(w, in->a);
            range(w, i + 1, in->b, is_watched);
            end_loop(w);
            i += in->b;
            break;
        case TAPE_GUARD:
            galec_line(w, "if %s <> 0.0 then", w->ref[in->a]);
            w->depth++;
            range(w, i + 1, in->b, is_watched);
            w->depth--;
            galec_line(w, "end if;");
            i += in->b;
            break;
        case TAPE_FACTOR: galec_factor(w, &t->system.at[in->a]); break;
        case TAPE_SOLVE: galec_solve(w, &t->system.at[in->a]); break;
        case TAPE_NOTE:
            if (is_watched)
                note(w, in);
            break;
        default: plain(w, in);
        }
    }
}

void galec_body(GalecWork *w, const TapeSegment *s, bool is_watched)
{
    range(w, s->first, s->count, is_watched);
}
