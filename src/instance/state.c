/* state.c - statements and operators of state machines (chapter 17).
 *
 * Blocks become states by transition() and initialState(). Here these are noted
 * with the numbers of the components; clocks/machine.c makes machines of them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/state.h"

#include "eval/exec.h"

bool state_is_call(const AstRef *r)
{
    return r && r->npart == 1 && !r->global &&
           (strcmp(r->part[0].name, "transition") == 0 ||
            strcmp(r->part[0].name, "initialState") == 0);
}

/* The component that an argument names, NONE after a report. */
static int state_of(const Context *in, Scope *scope, const AstExpr *call,
                    const AstExpr *e)
{
    const char *name = call->ref->part[0].name;
    if (e->kind != AE_REF) {
        diag_report(in->diag, e->span, DIAG_E0940,
                    "%s() needs the name of a block here", name);
        return NONE;
    }
    InstanceSet s = find_instances(in, scope, e->ref);
    if (!s.ok || (s.n == 1 && s.at[0]->kind == IK_ERROR))
        return NONE;
    if (s.n == 1 && !s.absent && s.at[0]->kind == IK_OBJECT &&
        !s.at[0]->is_connector && class_kind(s.at[0]->cls) != CK_RECORD)
        return instance_component(s.at[0]);
    diag_report(in->diag, e->span, DIAG_E0940,
                "'%s' is not a block, so it cannot be a state",
                ast_ref_text(e->ref, in->arena));
    return NONE;
}

static bool flag(const Context *in, Scope *scope, const AstExpr *e,
                 const char *what, bool *x)
{
    return !e || eval_bool(in, scope, e, what, x);
}

static void transition(const Context *in, Scope *scope, Instance *owner,
                       const AstExpr *call)
{
    static const char *const input[] = {"from",      "to",    "condition",
                                        "immediate", "reset", "synchronize",
                                        "priority"};
    AstExpr *arg[7] = {0};
    if (!eval_place_arguments(in, call, input, 3, 7, arg))
        return;
    FlatTransition t = {.immediate = true,
                        .reset = true,
                        .priority = 1,
                        .component = instance_component(owner),
                        .span = call->span};
    t.from = state_of(in, scope, call, arg[0]);
    t.to = state_of(in, scope, call, arg[1]);
    if (t.from == NONE || t.to == NONE)
        return;
    Context there = context_owned(in, t.from); /* for ticksInState() */
    t.condition = eval_condition(&there, scope, arg[2],
                                 "the condition of transition()", NULL);
    if (t.condition == EXPR_NONE ||
        !flag(in, scope, arg[3], "immediate", &t.immediate) ||
        !flag(in, scope, arg[4], "reset", &t.reset) ||
        !flag(in, scope, arg[5], "synchronize", &t.synchronize) ||
        (arg[6] && !eval_int(in, scope, arg[6], "priority", &t.priority)))
        return;
    if (t.priority < 1)
        diag_report(in->diag, arg[6]->span, DIAG_E0940,
                    "the priority of a transition must be at least 1, but it "
                    "is %d",
                    t.priority);
    else
        emit_transition(in, t);
}

void state_call(const Context *in, Scope *scope, Instance *owner,
                const AstExpr *call)
{
    static const char *const input[] = {"state"};
    AstExpr *arg[1] = {0};
    if (call->ref->part[0].name[0] == 't') {
        transition(in, scope, owner, call);
        return;
    }
    if (!eval_place_arguments(in, call, input, 1, 1, arg))
        return;
    int state = state_of(in, scope, call, arg[0]);
    if (state != NONE)
        emit_initial_state(in, (FlatInitialState){state, call->span});
}

Value *state_operator(const Context *in, Scope *scope, const AstExpr *call)
{
    static const char *const input[] = {"state"};
    Dag *d = in->dag;
    const char *name = call->ref->part[0].name;
    bool active = name[0] == 'a', ticks = name[1] == 'i' && name[2] == 'c';
    AstExpr *arg[1] = {0};
    if (in->exec && in->exec->fn) {
        context_report(in, call->span, DIAG_E0615,
                       "%s() has no meaning inside a function", name);
        return value_error(in);
    }
    if (!eval_place_arguments(in, call, input, active, active, arg))
        return value_error(in);
    int state = active ? state_of(in, scope, call, arg[0]) : in->component;
    if (state == NONE)
        return value_error(in);
    Expr zero = active  ? expr_bool(d, false)
                : ticks ? expr_int(d, 0)
                        : expr_real(d, 0);
    Expr e = expr_clocked(d,
                          active  ? EC_ACTIVE
                          : ticks ? EC_TICKS
                                  : EC_TIME_IN,
                          zero, expr_int(d, state));
    return value_scalar(in,
                        type_builtin(active  ? TYPE_BOOLEAN
                                     : ticks ? TYPE_INTEGER
                                             : TYPE_REAL),
                        e, active || ticks ? FV_DISCRETE : FV_CONTINUOUS);
}
