/* units.c - units of equations.
 *
 * The unit of every expression is found from those of its variables; where both
 * sides of an equation, or two terms of a sum, have one and they measure
 * different things, that is a warning. A unit is its exponents of the seven
 * base units; factors (km, h) and offsets (degC) are not judged, rad and sr are
 * 1, and the unit "1" says nothing: it is given to ratios and to directions
 * that are scaled later. `time` has none either: tests ramp anything by it. A
 * number can have any unit, so whatever contains one besides * and / has none
 * that is known, and so has everything with a unit that takt cannot read.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flat/flat.h"

enum { NBASE = 7 }; /* m kg s A K mol cd */

typedef struct Unit {
    bool known;
    signed char power[NBASE]; /* exponents times 12: roots stay whole */
} Unit;

typedef struct Symbol {
    const char *name;
    signed char power[NBASE];
    bool prefix; /* may have one: km, mV */
} Symbol;

static const Symbol symbol[] = {
    {"m", {1}, true},
    {"g", {0, 1}, true},
    {"s", {0, 0, 1}, true},
    {"A", {0, 0, 0, 1}, true},
    {"K", {0, 0, 0, 0, 1}, true},
    {"mol", {0, 0, 0, 0, 0, 1}, true},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, true},
    {"rad", {0}, true},
    {"deg", {0}, false},
    {"rev", {0}, false},
    {"sr", {0}, true},
    {"1", {0}, false},
    {"Hz", {0, 0, -1}, true},
    {"Bq", {0, 0, -1}, true},
    {"rpm", {0, 0, -1}, false},
    {"N", {1, 1, -2}, true},
    {"Pa", {-1, 1, -2}, true},
    {"bar", {-1, 1, -2}, true},
    {"J", {2, 1, -2}, true},
    {"W", {2, 1, -3}, true},
    {"var", {2, 1, -3}, true},
    {"C", {0, 0, 1, 1}, true},
    {"V", {2, 1, -3, -1}, true},
    {"F", {-2, -1, 4, 2}, true},
    {"Ohm", {2, 1, -3, -2}, true},
    {"S", {-2, -1, 3, 2}, true},
    {"Wb", {2, 1, -2, -1}, true},
    {"T", {0, 1, -2, -1}, true},
    {"H", {2, 1, -2, -2}, true},
    {"degC", {0, 0, 0, 0, 1}, false},
    {"lm", {0, 0, 0, 0, 0, 0, 1}, true},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}, true},
    {"Gy", {2, 0, -2}, true},
    {"Sv", {2, 0, -2}, true},
    {"kat", {0, 0, -1, 0, 0, 1}, true},
    {"min", {0, 0, 1}, false},
    {"h", {0, 0, 1}, false},
    {"d", {0, 0, 1}, false},
    {"l", {3}, true},
    {"eV", {2, 1, -2}, true},
};

/* ---- reading ---- */

static const Symbol *find_symbol(const char *s, size_t n, bool prefixed)
{
    for (size_t i = 0; i < sizeof symbol / sizeof symbol[0]; i++)
        if (strlen(symbol[i].name) == n && strncmp(symbol[i].name, s, n) == 0 &&
            (!prefixed || symbol[i].prefix))
            return &symbol[i];
    return NULL;
}

static const Symbol *read_symbol(const char *s, size_t n)
{
    const Symbol *u = find_symbol(s, n, false);
    if (u || n < 2)
        return u;
    if (n > 2 && strncmp(s, "da", 2) == 0 &&
        (u = find_symbol(s + 2, n - 2, true)))
        return u;
    return strchr("yzafpnumcdhkMGTPEZY", s[0]) ? find_symbol(s + 1, n - 1, true)
                                               : NULL;
}

/* factor: symbol with an exponent, m, s2, s-1, (1/2) roots are not read. */
static bool read_factor(const char **p, int sign, Unit *u)
{
    const char *s = *p;
    size_t n = 0;
    if (*s == '1')
        n = 1;
    else
        while (isalpha((unsigned char)s[n]))
            n++;
    const Symbol *sym = n ? read_symbol(s, n) : NULL;
    if (!sym)
        return false;
    s += n;
    char *end;
    long power = 1;
    if (*s == '^')
        s++;
    if (isdigit((unsigned char)*s) || *s == '-' || *s == '+') {
        power = strtol(s, &end, 10);
        if (end == s || labs(power) > 8)
            return false;
        s = end;
    }
    for (int i = 0; i < NBASE; i++) {
        long x = u->power[i] + sign * power * sym->power[i] * 12;
        if (labs(x) > 120)
            return false;
        u->power[i] = (signed char)x;
    }
    *p = s;
    return true;
}

/* numerator [ / denominator ], factors separated by dots, the denominator one
 * factor or in parentheses (chapter 19). */
static Unit read_unit(const char *s)
{
    Unit none = {0}, u = {.known = true};
    if (!s || !*s || strcmp(s, "1") == 0)
        return none;
    int sign = 1;
    bool paren = false;
    for (;;) {
        if (*s == '(') {
            paren = true;
            s++;
        }
        if (!read_factor(&s, sign, &u))
            return none;
        if (paren && *s == ')') {
            paren = false;
            s++;
        }
        if (*s == '.' && (sign > 0 || paren)) {
            s++;
        } else if (*s == '/' && sign > 0 && !paren) {
            sign = -1;
            s++;
        } else {
            break;
        }
    }
    return *s || paren ? none : u;
}

/* ---- units of expressions ---- */

typedef struct Units {
    const Flat *flat;
    Arena *arena;
    Diag *diag;
    Unit *of; /* by expression */
    bool *done;
    bool *clashed; /* by expression: a sum of different units is below */
    int n;
    Unit *of_var;
    bool *var_done;
} Units;

static bool same(Unit a, Unit b)
{
    return memcmp(a.power, b.power, sizeof a.power) == 0;
}

static Unit scaled(Unit u, double factor)
{
    for (int i = 0; i < NBASE; i++) {
        double x = u.power[i] * factor;
        if (fabs(x) > 120 || x != floor(x))
            return (Unit){0};
        u.power[i] = (signed char)x;
    }
    return u;
}

static Unit combined(Unit a, Unit b, int sign)
{
    if (!a.known || !b.known)
        return (Unit){0};
    for (int i = 0; i < NBASE; i++) {
        int x = a.power[i] + sign * b.power[i];
        if (abs(x) > 120)
            return (Unit){0};
        a.power[i] = (signed char)x;
    }
    return a;
}

static Unit unit_of_var(Units *u, int var, int order)
{
    const FlatVar *v = &u->flat->var[var];
    if (!u->var_done[var]) {
        u->of_var[var] = read_unit(v->unit);
        u->var_done[var] = true;
    }
    Unit r = u->of_var[var];
    if (r.known && r.power[2] - 12 * order >= -120)
        r.power[2] = (signed char)(r.power[2] - 12 * order);
    else if (order)
        return (Unit){0};
    return r;
}

static Unit either(Unit a, Unit b)
{
    return a.known ? a : b;
}

static void visit(void *context, const Dag *d, Expr e)
{
    Units *u = context;
    if (u->done[e])
        return;
    u->done[e] = true;
    const ExprNode *n = expr_node(d, e);
    Unit a = {0}, b = {0}, r = {0};
    double x;
    if (n->op != EX_VAR && n->op != EX_CONST && n->op != EX_STR &&
        n->op != EX_CALL && n->narg > 0) {
        a = u->of[expr_arg(d, e, 0)];
        for (int i = 0; i < n->narg; i++)
            u->clashed[e] |= u->clashed[expr_arg(d, e, i)];
        if (n->narg > 1)
            b = u->of[expr_arg(d, e, 1)];
    }
    switch (n->op) {
    case EX_VAR: r = unit_of_var(u, n->var, n->order); break;
    case EX_ADD:
    case EX_SUB:
    case EX_MIN:
    case EX_MAX:
        if (a.known && b.known && !same(a, b))
            u->clashed[e] = true;
        r = either(a, b);
        break;
    case EX_NEG:
    case EX_ABS:
    case EX_PRE:
    case EX_NOEVENT:
    case EX_FLOOR:
    case EX_CEIL:
    case EX_HOMOTOPY:
    case EX_DELAY: r = a; break;
    case EX_SMOOTH: r = b; break;
    case EX_IF: {
        /* beside a number a branch may stand for something else */
        Unit other = u->of[expr_arg(d, e, 2)];
        r = b.known && other.known && same(b, other) ? b : r;
        break;
    }
    case EX_MUL: r = combined(a, b, 1); break;
    case EX_DIV: r = combined(a, b, -1); break;
    case EX_SQRT: r = a.known ? scaled(a, 0.5) : a; break;
    case EX_POW:
        if (a.known && expr_is_const(d, expr_arg(d, e, 1), &x))
            r = scaled(a, x);
        break;
    default: break;
    }
    u->of[e] = r;
}

/* The unit of a side: as declared for a variable, else in base units. */
static const char *side_text(const Units *u, Expr e)
{
    static const char *const base[NBASE] = {"m", "kg",  "s", "A",
                                            "K", "mol", "cd"};
    const Flat *f = u->flat;
    int var, order;
    if (expr_is_var(f->dag, e, &var, &order) && order == 0)
        return f->var[var].unit;
    const char *text = "";
    for (int i = 0; i < NBASE; i++) {
        int p = u->of[e].power[i];
        if (p == 0)
            continue;
        const char *dot = *text ? "." : "";
        text = p == 12 ? arena_printf(u->arena, "%s%s%s", text, dot, base[i])
                       : arena_printf(u->arena, "%s%s%s%.4g", text, dot,
                                      base[i], p / 12.0);
    }
    return *text ? text : "1";
}

static void check_equation(Units *u, const FlatEqn *e)
{
    const Flat *f = u->flat;
    Expr root[2] = {e->lhs, e->rhs};
    expr_walk(f->dag, root, 2, visit, u);
    Unit a = u->of[e->lhs], b = u->of[e->rhs];
    bool clash = u->clashed[e->lhs] || u->clashed[e->rhs];
    if (!clash && (!a.known || !b.known || same(a, b)))
        return;
    const char *left = side_text(u, e->lhs), *right = side_text(u, e->rhs);
    if (clash)
        diag_report(u->diag, e->span, DIAG_W0414,
                    "terms of different units are added in %s",
                    flat_eqn_text(f, e, 120, u->arena));
    else
        diag_report(u->diag, e->span, DIAG_W0414,
                    "the left side has the unit %s, the right side %s: %s",
                    left, right, flat_eqn_text(f, e, 120, u->arena));
}

void flat_check_units(const Flat *f, Arena *arena, Diag *diag)
{
    Arena *temp = arena_new();
    Units u = {.flat = f, .arena = arena, .diag = diag, .n = dag_count(f->dag)};
    u.of = NEW_ARRAY(temp, Unit, u.n + 1);
    u.done = NEW_ARRAY(temp, bool, u.n + 1);
    u.clashed = NEW_ARRAY(temp, bool, u.n + 1);
    u.of_var = NEW_ARRAY(temp, Unit, f->nvar + 1);
    u.var_done = NEW_ARRAY(temp, bool, f->nvar + 1);
    for (int i = 0; i < f->neqn; i++)
        check_equation(&u, &f->eqn[i]);
    arena_free(temp);
}
