/* sys_print.c - a Sys as text: --dump=sys. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "sys/sys.h"

#define WIDTH 200

static const char *const role_name[] = {
    [SR_CONSTANT] = "constant", [SR_PARAMETER] = "parameter",
    [SR_FREE] = "free",         [SR_INPUT] = "input",
    [SR_UNKNOWN] = "unknown",   [SR_DISCRETE] = "discrete",
    [SR_ALIAS] = "alias",       [SR_COMPUTED] = "computed",
    [SR_STRING] = "string",
};

static void print_expr(const Sys *s, Expr e, FILE *out)
{
    expr_print(s->dag, e, sys_var_name, (void *)s, WIDTH, out);
}

static void print_attribute(const Sys *s, const char *name, Expr e, FILE *out)
{
    if (e == EXPR_NONE)
        return;
    fprintf(out, " %s=", name);
    print_expr(s, e, out);
}

static void print_var(const Sys *s, int v, FILE *out)
{
    const SysVar *x = &s->var[v];
    char number[32];
    fprintf(out, "  %s %s", role_name[x->role], x->name);
    switch (x->role) {
    case SR_CONSTANT:
        fprintf(out, " = %s", number_text(x->value, number));
        break;
    case SR_PARAMETER:
    case SR_COMPUTED:
        if (x->expr != EXPR_NONE) {
            fprintf(out, " = ");
            print_expr(s, x->expr, out);
        }
        break;
    case SR_ALIAS:
        fprintf(out, " = %s%s",
                x->sign > 0             ? ""
                : x->type == FT_BOOLEAN ? "not "
                                        : "-",
                s->var[x->target].name);
        break;
    default: break;
    }
    if (x->role != SR_CONSTANT && x->role != SR_ALIAS && x->role != SR_STRING) {
        print_attribute(s, "start", x->start, out);
        if (x->fixed && x->role != SR_PARAMETER)
            fprintf(out, " fixed");
        if (x->derivatives > 0)
            fprintf(out, " derivatives=%d", x->derivatives);
    }
    fprintf(out, "\n");
}

static void print_eqn(const Sys *s, const SysEqn *e, FILE *out)
{
    Arena *tmp = arena_new();
    fprintf(out, "  %s: %s\n", sys_eqn_name(s, e, tmp),
            sys_eqn_text(s, e, WIDTH, tmp));
    arena_free(tmp);
}

static void print_action(const Sys *s, const SysAction *a, FILE *out)
{
    static const char *const kind[] = {"assign", "reinit", "assert",
                                       "terminate"};
    fprintf(out, "  when ");
    print_expr(s, a->active, out);
    fprintf(out, ": %s", kind[a->kind]);
    if (a->kind == FA_REINIT)
        fprintf(out, " %s", s->var[a->var].name);
    if (a->value != EXPR_NONE) {
        fprintf(out, " ");
        print_expr(s, a->value, out);
    }
    fprintf(out, "\n");
}

void sys_print(const Sys *s, FILE *out)
{
    fprintf(out,
            "sys %s: %d equations, %d aliases, %d constants, %d computed\n",
            s->flat->model, s->neqn, s->nalias, s->nconstant, s->ncomputed);
    fprintf(out, "variables\n");
    for (int v = 0; v < s->nvar; v++)
        print_var(s, v, out);
    fprintf(out, "equations\n");
    for (int i = 0; i < s->neqn; i++)
        print_eqn(s, &s->eqn[i], out);
    if (s->ninitial)
        fprintf(out, "initial equations\n");
    for (int i = 0; i < s->ninitial; i++)
        print_eqn(s, &s->initial[i], out);
    if (s->naction)
        fprintf(out, "actions\n");
    for (int i = 0; i < s->naction; i++)
        print_action(s, &s->action[i], out);
}
