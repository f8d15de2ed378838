/* routine_c.c - functions made of expressions, as C.
 *
 * One statement for each node, in the operations of takt_rt_base.h, as emit/
 * writes them: the same order of the same operations as values at the desk.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdarg.h>
#include <string.h>

#include "base/ctext.h"
#include "base/diag.h"
#include "base/die.h"
#include "base/vec.h"
#include "expr/ops.h"
#include "routine/routine_internal.h"

typedef struct Writer {
    const Routine *r;
    const ExprCStyle *style;
    const char *real, *suffix, *indent;
    const char **ref; /* of each step */
    Arena *arena;
    Vec(char) out;
} Writer;

static void put(Writer *w, const char *fmt, ...) TAKT_PRINTF(2, 3);

static void put(Writer *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *s = arena_vprintf(w->arena, fmt, ap);
    va_end(ap);
    for (; *s; s++)
        vec_push(w->arena, &w->out, *s);
}

const char *routine_c_call(const ExprFunction *f, int out, bool is_float,
                           const char *const *plain, const char *list,
                           Arena *arena)
{
    (void)out, (void)is_float;
    return arena_printf(arena, "%s(%s, %s)", f->c_name, list ? list : "0",
                        plain[0]);
}

/* ---- calls in it ---- */

static void put_list(Writer *w, int i, const double *number, int n)
{
    put(w, "%sstatic const %s l%d[] = {", w->indent, w->real, i);
    for (int k = 0; k < n; k++)
        put(w, "%s%s", k ? ", " : "",
            c_number(number[k], w->style->is_float, w->arena));
    put(w, "};\n");
}

static void put_arguments(Writer *w, int i, const int *from, int n)
{
    put(w, "%sconst %s l%d[] = {", w->indent, w->real, i);
    for (int k = 0; k < n; k++)
        put(w, "%s%s", k ? ", " : "", w->ref[from[k]]);
    put(w, "};\n");
}

static void put_call(Writer *w, int i)
{
    const RoutineStep *s = &w->r->step[i];
    const ExprNode *n = expr_node(w->r->dag, s->node);
    const ExprFunction *f = dag_function(w->r->dag, n->fn);
    if (f->values && n->order > 0) {
        w->ref[i] = arena_printf(w->arena, "y%d[%d]", s->b, n->order);
        return;
    }
    const char *plain[2] = {"", ""};
    const int *from = w->r->args + s->a;
    for (int k = 0; k < f->nplain; k++)
        plain[k] = w->ref[from[k]];
    if (f->list)
        put_list(w, i, f->list, f->nlist);
    else if (f->nlist > 0)
        put_arguments(w, i, from + f->nplain, f->nlist);
    const char *list = f->nlist > 0 ? arena_printf(w->arena, "l%d", i) : NULL;
    if (f->values) {
        const char *row = arena_printf(w->arena, "y%d", s->b);
        put(w, "%s%s %s[%d];\n%s%s;\n", w->indent, w->real, row, f->nout,
            w->indent,
            f->c_call(f, 0, w->style->is_float, &row, list, w->arena));
        w->ref[i] = arena_printf(w->arena, "%s[0]", row);
        return;
    }
    put(w, "%sconst %s t%d = %s;\n", w->indent, w->real, i,
        f->c_call(f, n->order, w->style->is_float, plain, list, w->arena));
}

/* ---- statements ---- */

static const char *operation(Writer *w, const RoutineStep *s)
{
    const char *a = w->ref[s->a], *b = w->ref[s->b], *c = w->ref[s->c];
    switch (s->op) {
    case EX_ADD: return arena_printf(w->arena, "%s + %s", a, b);
    case EX_SUB: return arena_printf(w->arena, "%s - %s", a, b);
    case EX_MUL: return arena_printf(w->arena, "%s * %s", a, b);
    case EX_DIV: return arena_printf(w->arena, "%s / %s", a, b);
    case EX_NEG: return arena_printf(w->arena, "-(%s)", a);
    case EX_NOEVENT:
    case EX_TOINT:
    case EX_HOMOTOPY: return a;
    case EX_SMOOTH: return b;
    case EX_SEMILINEAR:
        return arena_printf(w->arena,
                            "takt_select%s(takt_ge%s(%s, 0), %s, %s) * %s",
                            w->suffix, w->suffix, a, b, c, a);
    default: break;
    }
    int power = s->op == EX_POW ? routine_power(w->r, s) : 0;
    if (power == 4)
        return arena_printf(w->arena, "(%s * %s) * (%s * %s)", a, a, a, a);
    if (power > 0)
        return arena_printf(w->arena, "%s * %s%s%s", a, a,
                            power > 2 ? " * " : "", power > 2 ? a : "");
    if (s->op >= EX_NOP || !*expr_op_info[s->op].c)
        return NULL;
    const char *prefix =
        op_has(s->op, OP_LIBM) && !w->style->own_math ? "" : "takt_";
    int n = expr_op_info[s->op].narg;
    return arena_printf(w->arena, "%s%s%s(%s%s%s%s%s)", prefix,
                        expr_op_info[s->op].c, w->suffix, a, n > 1 ? ", " : "",
                        n > 1 ? b : "", n > 2 ? ", " : "", n > 2 ? c : "");
}

/* Is the value of an argument that is no state? Those stand in `a`. */
static const char *argument(const Writer *w, int number)
{
    return arena_printf(w->arena, "%s[%d]", number < w->r->nstate ? "s" : "a",
                        number);
}

static void put_steps(Writer *w)
{
    const Routine *r = w->r;
    for (int i = 0; i < r->nstep; i++) {
        const RoutineStep *s = &r->step[i];
        w->ref[i] = arena_printf(w->arena, "t%d", i);
        if (s->op == EX_CONST) {
            w->ref[i] = c_number(r->number[i], w->style->is_float, w->arena);
            if (*w->ref[i] == '-')
                w->ref[i] = arena_printf(w->arena, "(%s)", w->ref[i]);
        } else if (s->op == EX_ARG) {
            w->ref[i] = argument(w, expr_node(r->dag, s->node)->order);
        } else if (s->op == EX_CALL) {
            put_call(w, i);
        } else {
            const char *text = operation(w, s);
            if (!text)
                unreachable(); /* no function holds such a node */
            put(w, "%sconst %s t%d = %s;\n", w->indent, w->real, i, text);
        }
    }
}

static void put_loop(Writer *w)
{
    const Routine *r = w->r;
    put(w,
        "    %s s[%d], go = %s;\n"
        "    for (int i = 0; i < %d; i++)\n        s[i] = a[i];\n"
        "    for (int turn = 0; turn <= TAKT_TURNS; turn++) {\n",
        w->real, r->nstate, w->style->is_float ? "1.0f" : "1.0", r->nstate);
    w->indent = "        ";
    put_steps(w);
    put(w,
        "        go = takt_and%s(go, %s);\n"
        "        const %s on = turn < TAKT_TURNS ? go : 0;\n",
        w->suffix, w->ref[r->at[r->nstate]], w->real);
    put(w, "        const %s next[] = {", w->real);
    for (int i = 0; i < r->nstate; i++)
        put(w, "%s%s", i ? ", " : "", w->ref[r->at[i]]);
    put(w,
        "};\n        for (int i = 0; i < %d; i++)\n"
        "            s[i] = takt_select%s(on, next[i], s[i]);\n    }\n"
        "    y[0] = go;\n"
        "    for (int i = 0; i < %d; i++)\n        y[i + 1] = s[i];\n",
        r->nstate, w->suffix, r->nstate);
}

const char *routine_c_define(const ExprFunction *f, const ExprCStyle *style,
                             Arena *arena)
{
    const Routine *r = routine_of(f);
    Writer w = {.r = r,
                .style = style,
                .real = style->is_float ? "float" : "double",
                .suffix = style->is_float ? "f" : "",
                .indent = "    ",
                .ref = NEW_ARRAY(arena, const char *, r->nstep + 1),
                .arena = arena};
    put(&w, "/* %s */\nstatic void %s(const %s *a, %s *y)\n{\n    (void)a;\n",
        c_comment(f->name, arena), f->c_name, w.real, w.real);
    if (r->nstate > 0) {
        put_loop(&w);
    } else {
        put_steps(&w);
        put(&w, "    y[0] = 0;\n");
        for (int k = 1; k < r->nout; k++)
            put(&w, "    y[%d] = %s;\n", k, w.ref[r->at[k - 1]]);
    }
    put(&w, "}\n");
    vec_push(arena, &w.out, '\0');
    return w.out.at;
}
