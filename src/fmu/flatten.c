/* flatten.c - variables and equations of an FMU.
 *
 * Model exchange, with e the number of what the FMU keeps to itself and E, F,
 * G, Z the functions of takt_fmu_host.h:
 *
 *   initial equation   status, e, next, end, x, d, s = start(t, parameters, u)
 *   equation           der(x) = F(time, x, u, e);  y = G(time, x, u, e)
 *   when {z[k] > 0 <> pre(s[k]), time >= pre(next), change of a discrete
 *         input, the FMU asks} then
 *     status, e, next, end, reinit(x), d, s = E(time, x, u, pre(e))
 *
 * with z = Z(time, x, u, pre(e)) and s, which indicators are above 0 after the
 * last event: what an event itself does to them is none. What a when clause
 * computes is computed where it is not taken, too: E is told whether there is
 * an event. Co-simulation:
 *
 *   when sample(start + H, H) then
 *     status, e, end, d = step(time, pre(u before), pre(e));  u before = u
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/fmu_internal.h"

typedef FmuFlat Work;

/* ---- variables ---- */

static FlatType flat_type(FmuType t)
{
    static const FlatType type[] = {
#define FMU_TYPE(name, xml2, xml3, text, flat) flat,
#include "fmu/types.def"
    };
    return type[t];
}

static ExprType expr_of(FlatType t)
{
    return t == FT_REAL      ? ET_REAL
           : t == FT_BOOLEAN ? ET_BOOLEAN
           : t == FT_STRING  ? ET_STRING
                             : ET_INTEGER;
}

static Expr number(const Work *w, FlatType t, double x)
{
    return t == FT_REAL      ? expr_real(w->dag, x)
           : t == FT_BOOLEAN ? expr_bool(w->dag, x != 0)
                             : expr_int(w->dag, rint(x));
}

/* "x" -> "x[2,1]" */
static const char *element(const Work *w, const FmuVariable *v, int k)
{
    const char *index = "";
    if (v->ndimension == 0)
        return arena_printf(w->arena, "%s%s", w->prefix, v->name);
    for (int i = v->ndimension - 1; i >= 0; i--) {
        index = arena_printf(w->arena, "%d%s%s", k % v->dimension[i].size + 1,
                             *index ? "," : "", index);
        k /= v->dimension[i].size;
    }
    return arena_printf(w->arena, "%s%s[%s]", w->prefix, v->name, index);
}

static int enumeration_of(Work *w, const FmuVariable *v)
{
    const FmuSimpleType *t = NULL;
    for (int i = 0; v->declared && i < w->d->ntype; i++)
        if (!strcmp(w->d->type[i].name, v->declared))
            t = &w->d->type[i];
    if (!t || t->nitem == 0)
        return NONE;
    for (int i = 0; i < w->enumeration.n; i++)
        if (w->enumeration.at[i].literal == t->item)
            return i;
    FlatEnumeration e = {t->name, t->item, t->nitem};
    vec_push(w->arena, &w->enumeration, e);
    return w->enumeration.n - 1;
}

static FlatVariability variability(const Work *w, const FmuVariable *v)
{
    if (v->variability == FMU_CONSTANT)
        return FV_CONSTANT;
    if (v->causality == FMU_PARAMETER || v->causality == FMU_STRUCTURAL)
        return FV_PARAMETER;
    return v->variability != FMU_CONTINUOUS ||
                   (w->s->is_block && v->causality != FMU_INPUT)
               ? FV_DISCRETE
               : FV_CONTINUOUS;
}

static void put_range(const Work *w, const FmuVariable *v, FlatVar *to)
{
    if (to->type != FT_REAL && to->type != FT_INTEGER)
        return;
    if (v->has_min && isfinite(v->min))
        to->min = number(w, to->type, v->min);
    if (v->has_max && isfinite(v->max))
        to->max = number(w, to->type, v->max);
    if (to->type == FT_REAL && v->has_nominal && v->nominal != 0 &&
        isfinite(v->nominal))
        to->nominal = expr_real(w->dag, fabs(v->nominal));
}

static int add_variable(Work *w, const FmuVariable *v, int k, double start)
{
    FlatVar f = flat_plain_var(element(w, v, k), v->span);
    f.type = flat_type(v->type);
    f.enumeration = f.type == FT_ENUM ? enumeration_of(w, v) : NONE;
    if (f.type == FT_ENUM && f.enumeration == NONE)
        f.type = FT_INTEGER;
    f.variability = variability(w, v);
    f.causality = v->causality == FMU_INPUT    ? FC_INPUT
                  : v->causality == FMU_OUTPUT ? FC_OUTPUT
                                               : FC_LOCAL;
    f.is_structural = v->causality == FMU_STRUCTURAL;
    f.unit = f.type == FT_REAL ? v->unit : "";
    f.quantity = v->quantity;
    f.comment = v->comment;
    put_range(w, v, &f);
    if (f.variability <= FV_PARAMETER) {
        f.binding = number(w, f.type, isnan(start) ? 0 : start);
        f.binding_span = v->span;
    } else if (!isnan(start)) {
        f.start = number(w, f.type, start);
    }
    vec_push(w->arena, &w->var, f);
    return w->var.n - 1;
}

static bool is_left_out(const FmuVariable *v)
{
    return v->type == FMU_STRING || v->type == FMU_BINARY ||
           v->type == FMU_CLOCK || v->causality == FMU_INDEPENDENT;
}

/* A text that is known. */
static void add_text(Work *w, const FmuVariable *v)
{
    FlatVar f = flat_plain_var(element(w, v, 0), v->span);
    f.type = FT_STRING;
    f.variability = FV_CONSTANT;
    f.binding = expr_string(w->dag, v->start);
    f.binding_span = v->span;
    f.comment = v->comment;
    vec_push(w->arena, &w->var, f);
}

/* "der(x)" is what takt itself calls the derivative of x. */
static bool is_own_name(const Work *w, int i)
{
    int at = 0;
    while (at < w->s->slope.n && w->s->slope.at[at] != i)
        at++;
    return at < w->s->slope.n &&
           !strcmp(w->d->variable[i].name,
                   arena_printf(w->arena, "der(%s)",
                                w->d->variable[w->s->state.at[at]].name));
}

static void add_variables(Work *w)
{
    const FmuDescription *d = w->d;
    int total = 0;
    for (int i = 0; i < d->nvariable; i++)
        total += d->variable[i].n;
    w->flat = NEW_ARRAY(w->arena, int, total + 1);
    memset(w->flat, 0xff, (size_t)total * sizeof(int));
    for (int i = 0; i < d->nvariable; i++) {
        const FmuVariable *v = &d->variable[i];
        if (v->type == FMU_STRING && v->start && v->ndimension == 0 &&
            (v->variability <= FMU_TUNABLE))
            add_text(w, v);
        if (is_left_out(v) || (v->is_derivative && is_own_name(w, i)))
            continue;
        for (int k = 0; k < v->n; k++)
            w->flat[w->s->first[i] + k] =
                add_variable(w, v, k, w->s->start[w->s->first[i] + k]);
    }
}

/* What the equations need besides: never seen by the FMU. */
static int add_own(Work *w, const char *name, FlatType type, double start)
{
    FlatVar f = flat_plain_var(
        *w->prefix ? arena_printf(w->arena, "$%s%s", w->prefix, name + 1)
                   : name,
        w->d->span);
    f.type = type;
    f.variability = FV_DISCRETE;
    f.start = number(w, type, start);
    f.is_protected = true;
    vec_push(w->arena, &w->var, f);
    return w->var.n - 1;
}

/* ---- expressions ---- */

typedef Vec(Expr) ExprVec;

static Expr var(const Work *w, int flat, int order)
{
    return expr_var(w->dag, flat, order, expr_of(w->var.at[flat].type));
}

static Expr pre(const Work *w, int flat)
{
    return expr_unary(w->dag, EX_PRE, var(w, flat, 0));
}

static int flat_of(const Work *w, int variable, int k)
{
    return w->flat[w->s->first[variable] + k];
}

/* Is it an input that another FMU of the system gives? */
static bool is_connected(const Work *w, int flat)
{
    for (int i = 0; w->system && i < w->system->nlink; i++)
        if (!strcmp(w->system->link[i].to, w->var.at[flat].name))
            return true;
    return false;
}

/* What comes from another FMU is what it was before an event: what it is after
 * may follow from this event. */
static void push_inputs(const Work *w, ExprVec *to, const FmuList *l,
                        bool at_event)
{
    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < w->d->variable[l->at[i]].n; k++) {
            int v = flat_of(w, l->at[i], k);
            vec_push(w->arena, to,
                     at_event && is_connected(w, v) ? pre(w, v) : var(w, v, 0));
        }
}

static void push_list(const Work *w, ExprVec *to, const FmuList *l)
{
    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < w->d->variable[l->at[i]].n; k++)
            vec_push(w->arena, to, var(w, flat_of(w, l->at[i], k), 0));
}

/* time, x, u and, at events, discrete inputs; then the epoch. */
static ExprVec arguments(const Work *w, bool at_event, bool before)
{
    ExprVec a = {0};
    vec_push(w->arena, &a, expr_time(w->dag));
    push_list(w, &a, &w->s->state);
    push_inputs(w, &a, &w->s->u, at_event);
    if (at_event)
        push_list(w, &a, &w->s->ud);
    vec_push(w->arena, &a, before ? pre(w, w->epoch) : var(w, w->epoch, 0));
    return a;
}

static Expr result(const Work *w, int fn, int out, FlatType type,
                   const ExprVec *a)
{
    return expr_call(w->dag, fn, out, expr_of(type), a->at, a->n);
}

static void equate(Work *w, Expr left, Expr right, Span span)
{
    FlatEqn e = {.lhs = left,
                 .rhs = right,
                 .origin = FO_EQUATION,
                 .ordinal = ++w->ordinal,
                 .span = span};
    vec_push(w->arena, &w->eqn, e);
}

static void begin_with(Work *w, int flat, Expr value)
{
    FlatEqn e = {.lhs = var(w, flat, 0),
                 .rhs = value,
                 .origin = FO_EQUATION,
                 .ordinal = w->initial.n + 1,
                 .span = w->d->span};
    vec_push(w->arena, &w->initial, e);
}

/* A status that must be 0. */
static void watch(Work *w, Expr status)
{
    FlatAssert a = {
        .condition = expr_unary(
            w->dag, EX_NOEVENT,
            expr_binary(w->dag, EX_EQ, status, expr_real(w->dag, 0))),
        .message = expr_string(
            w->dag, arena_printf(w->arena, "the FMU '%s' reports an error",
                                 w->d->model)),
        .span = w->d->span};
    vec_push(w->arena, &w->assertion, a);
}

/* ---- the start ---- */

/* What is set before is known: parameters as they are, start values as numbers,
 * inputs as they begin, and where another FMU gives them their start values. */
static void add_start(Work *w)
{
    const FmuShape *s = w->s;
    ExprVec a = {0};
    double t = isnan(w->d->start) ? 0 : w->d->start;
    vec_push(w->arena, &a, expr_real(w->dag, t));
    for (int i = 0; i < s->set.n; i++) {
        const FmuVariable *v = &w->d->variable[s->set.at[i]];
        bool is_own = v->causality == FMU_INPUT ||
                      v->causality == FMU_PARAMETER ||
                      v->causality == FMU_STRUCTURAL;
        for (int k = 0; k < v->n; k++) {
            double x = s->start[s->first[s->set.at[i]] + k];
            int flat = flat_of(w, s->set.at[i], k);
            vec_push(w->arena, &a,
                     is_own && !is_connected(w, flat)
                         ? var(w, flat, 0)
                         : number(w, flat_type(v->type), isnan(x) ? 0 : x));
        }
    }
    begin_with(w, w->status, result(w, w->call.start, 0, FT_REAL, &a));
    begin_with(w, w->epoch, result(w, w->call.start, 1, FT_INTEGER, &a));
    begin_with(w, w->next, result(w, w->call.start, 2, FT_REAL, &a));
    begin_with(w, w->end, result(w, w->call.start, 3, FT_REAL, &a));
    const FmuList *list[] = {&s->state, &s->d_out};
    int out = 4;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < list[j]->n; i++)
            for (int k = 0; k < w->d->variable[list[j]->at[i]].n; k++) {
                int v = flat_of(w, list[j]->at[i], k);
                begin_with(
                    w, v,
                    result(w, w->call.start, out++, w->var.at[v].type, &a));
            }
    for (int i = 0; !s->is_block && i < s->nz; i++)
        begin_with(w, w->side + i,
                   result(w, w->call.start, out++, FT_BOOLEAN, &a));
}

/* ---- between events ---- */

static void add_slopes(Work *w)
{
    const FmuShape *s = w->s;
    ExprVec a = arguments(w, false, false);
    int out = 1;
    for (int i = 0; i < s->state.n; i++) {
        const FmuVariable *v = &w->d->variable[s->state.at[i]];
        for (int k = 0; k < v->n; k++) {
            int x = flat_of(w, s->state.at[i], k);
            int dx = flat_of(w, s->slope.at[i], k);
            equate(w, var(w, x, 1),
                   result(w, w->call.slope, out++, FT_REAL, &a), v->span);
            if (dx != NONE && w->d->variable[s->slope.at[i]].alias_of == NONE)
                equate(w, var(w, dx, 0), var(w, x, 1), v->span);
        }
    }
    if (s->state.count)
        watch(w, result(w, w->call.slope, 0, FT_REAL, &a));
}

static void add_values(Work *w)
{
    const FmuShape *s = w->s;
    ExprVec a = arguments(w, false, false);
    int out = 1;
    for (int i = 0; i < s->y.n; i++) {
        const FmuVariable *v = &w->d->variable[s->y.at[i]];
        for (int k = 0; k < v->n; k++)
            equate(w, var(w, flat_of(w, s->y.at[i], k), 0),
                   result(w, w->call.value, out++, FT_REAL, &a), v->span);
    }
    if (s->y.count)
        watch(w, result(w, w->call.value, 0, FT_REAL, &a));
}

/* Other names for the same value. */
static void add_aliases(Work *w)
{
    for (int i = 0; i < w->d->nvariable; i++) {
        const FmuVariable *v = &w->d->variable[i];
        for (int k = 0; v->alias_of != NONE && k < v->n; k++) {
            int a = flat_of(w, i, k), b = flat_of(w, v->alias_of, k);
            if (a == NONE || b == NONE ||
                w->var.at[a].variability <= FV_PARAMETER)
                continue;
            w->var.at[a].start = EXPR_NONE;
            equate(w, var(w, a, 0), var(w, b, 0), v->span);
        }
    }
}

/* ---- events ---- */

typedef Vec(FlatAction) Actions;

static void act(const Work *w, Actions *to, FlatActionKind kind, int v,
                Expr value)
{
    FlatAction a = {.kind = kind,
                    .var = v,
                    .value = value,
                    .message = EXPR_NONE,
                    .span = w->d->span};
    vec_push(w->arena, to, a);
}

/* `list` gets results number `out` and on. */
static int act_list(const Work *w, Actions *to, FlatActionKind kind,
                    const FmuList *list, int fn, int out, const ExprVec *a)
{
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < w->d->variable[list->at[i]].n; k++) {
            int v = flat_of(w, list->at[i], k);
            act(w, to, kind, v, result(w, fn, out++, w->var.at[v].type, a));
        }
    return out;
}

static void add_when(Work *w, const ExprVec *condition, const Actions *action)
{
    FlatWhenBranch *b = NEW(w->arena, FlatWhenBranch);
    *b = (FlatWhenBranch){condition->at, condition->n, action->at, action->n,
                          w->d->span};
    FlatWhen when = {.branch = b, .nbranch = 1, .span = w->d->span};
    vec_push(w->arena, &w->when, when);
}

/* A condition holds until the event was there. */
static void add_condition(const Work *w, ExprVec *condition, Expr *any,
                          Expr value)
{
    vec_push(w->arena, condition, value);
    *any = expr_binary(w->dag, EX_OR, *any, value);
}

/* Is an indicator on the other side of 0 than after the last event? */
static void add_indicators(Work *w, ExprVec *condition, Expr *any)
{
    ExprVec a = arguments(w, false, true);
    for (int i = 0; i < w->s->nz; i++) {
        Expr z = result(w, w->call.cross, 1 + i, FT_REAL, &a);
        Expr above = expr_binary(w->dag, EX_GT, z, expr_real(w->dag, 0));
        add_condition(w, condition, any,
                      expr_binary(w->dag, EX_NE, above, pre(w, w->side + i)));
    }
    if (w->s->nz)
        watch(w, result(w, w->call.cross, 0, FT_REAL, &a));
    if (w->call.done != NONE) {
        Expr asks = result(w, w->call.done, 1, FT_REAL, &a);
        add_condition(w, condition, any,
                      expr_binary(w->dag, EX_GT, asks, expr_real(w->dag, 0.5)));
    }
}

static void add_input_changes(const Work *w, ExprVec *condition, Expr *any)
{
    const FmuList *l = &w->s->ud;
    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < w->d->variable[l->at[i]].n; k++) {
            int v = flat_of(w, l->at[i], k);
            add_condition(w, condition, any,
                          expr_binary(w->dag, EX_NE, var(w, v, 0), pre(w, v)));
        }
}

static void add_end(Work *w)
{
    ExprVec condition = {0};
    Actions action = {0};
    vec_push(
        w->arena, &condition,
        expr_binary(w->dag, EX_GT, var(w, w->end, 0), expr_real(w->dag, 0.5)));
    act(w, &action, FA_TERMINATE, NONE, EXPR_NONE);
    action.at[0].message =
        expr_string(w->dag, arena_printf(w->arena, "the FMU '%s' ends the run",
                                         w->d->model));
    add_when(w, &condition, &action);
}

static void add_events(Work *w)
{
    ExprVec condition = {0}, a = arguments(w, true, true);
    Actions action = {0};
    Expr any = expr_bool(w->dag, false);
    add_indicators(w, &condition, &any);
    add_condition(
        w, &condition, &any,
        expr_binary(w->dag, EX_GE, expr_time(w->dag), pre(w, w->next)));
    add_input_changes(w, &condition, &any);
    vec_push(w->arena, &a,
             expr_unary(w->dag, EX_NOEVENT,
                        expr_if(w->dag, any, expr_real(w->dag, 1),
                                expr_real(w->dag, 0))));
    int e = w->call.event;
    act(w, &action, FA_ASSIGN, w->status, result(w, e, 0, FT_REAL, &a));
    act(w, &action, FA_ASSIGN, w->epoch, result(w, e, 1, FT_INTEGER, &a));
    act(w, &action, FA_ASSIGN, w->next, result(w, e, 2, FT_REAL, &a));
    act(w, &action, FA_ASSIGN, w->end, result(w, e, 3, FT_REAL, &a));
    int out = act_list(w, &action, FA_REINIT, &w->s->state, e, 4, &a);
    out = act_list(w, &action, FA_ASSIGN, &w->s->d_out, e, out, &a);
    for (int i = 0; i < w->s->nz; i++)
        act(w, &action, FA_ASSIGN, w->side + i,
            result(w, e, out++, FT_BOOLEAN, &a));
    add_when(w, &condition, &action);
}

/* ---- co-simulation ---- */

static void add_steps(Work *w, double start, double size)
{
    ExprVec condition = {0}, a = {0};
    Actions action = {0};
    const FmuList *u = &w->s->u;
    vec_push(w->arena, &a, expr_time(w->dag));
    for (int i = 0, at = 0; i < u->n; i++)
        for (int k = 0; k < w->d->variable[u->at[i]].n; k++, at++) {
            int v = flat_of(w, u->at[i], k);
            int b = add_own(
                w,
                arena_printf(w->arena, "$before.%s",
                             w->d->variable[u->at[i]].n > 1
                                 ? element(w, &w->d->variable[u->at[i]], k) +
                                       strlen(w->prefix)
                                 : w->d->variable[u->at[i]].name),
                w->var.at[v].type, 0);
            vec_push(w->arena, &a, pre(w, b));
            begin_with(w, b, var(w, v, 0));
            act(w, &action, FA_ASSIGN, b, var(w, v, 0));
        }
    vec_push(w->arena, &a, pre(w, w->epoch));
    vec_push(w->arena, &condition,
             expr_binary(w->dag, EX_SAMPLE, expr_real(w->dag, start + size),
                         expr_real(w->dag, size)));
    int c = w->call.step;
    act(w, &action, FA_ASSIGN, w->status, result(w, c, 0, FT_REAL, &a));
    act(w, &action, FA_ASSIGN, w->epoch, result(w, c, 1, FT_INTEGER, &a));
    act(w, &action, FA_ASSIGN, w->next, result(w, c, 2, FT_REAL, &a));
    act(w, &action, FA_ASSIGN, w->end, result(w, c, 3, FT_REAL, &a));
    act_list(w, &action, FA_ASSIGN, &w->s->d_out, c, 4, &a);
    add_when(w, &condition, &action);
}

/* ---- one FMU ---- */

/* Seconds between communication points. */
static double step_of(const Work *w, const FmuOptions *o)
{
    const FmuDescription *d = w->d;
    double start = isnan(d->start) ? 0 : d->start;
    double stop = isnan(d->stop) ? start + 1 : d->stop;
    return o->step > 0            ? o->step
           : d->step > 0          ? d->step
           : w->s->kind->step > 0 ? w->s->kind->step
           : stop > start         ? (stop - start) / 500
                                  : 1;
}

bool fmu_add_part(FmuFlat *w, Fmu *f, const FmuOptions *o, Diag *diag)
{
    const FmuShape *s = fmu_shape(f, o, w->arena, diag);
    if (!s || (o->may_run && !fmu_may_load(f, s, diag)))
        return false;
    w->f = f;
    w->s = s;
    w->d = f->d;
    w->prefix = f->prefix ? f->prefix : "";
    double start = isnan(f->d->start) ? 0 : f->d->start;
    w->size = step_of(w, o);
    w->call = fmu_host(f, s, w->u, w->dag);
    add_variables(w);
    w->status = add_own(w, "$status", FT_REAL, 0);
    w->epoch = add_own(w, "$epoch", FT_INTEGER, 0);
    w->next = add_own(w, "$next", FT_REAL, 1e300);
    w->end = add_own(w, "$end", FT_REAL, 0);
    w->side = w->var.n;
    for (int i = 0; !s->is_block && i < s->nz; i++)
        add_own(w, arena_printf(w->arena, "$side%d", i + 1), FT_BOOLEAN, 0);
    add_start(w);
    if (s->is_block) {
        add_steps(w, start, w->size);
    } else {
        add_slopes(w);
        add_values(w);
        add_events(w);
    }
    watch(w, var(w, w->status, 0));
    add_end(w);
    add_aliases(w);
    return true;
}
