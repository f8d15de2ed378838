/* variable.c - the variables of a simple component and their attributes (4.8).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

/* ---- variables ---- */

static FlatType flat_type(TypeKind kind)
{
    switch (kind) {
    case TYPE_INTEGER: return FT_INTEGER;
    case TYPE_BOOLEAN: return FT_BOOLEAN;
    case TYPE_STRING: return FT_STRING;
    case TYPE_ENUM: return FT_ENUM;
    case TYPE_CLOCK: return FT_CLOCK;
    default: return FT_REAL;
    }
}

/* Inputs and outputs of the model itself: components of it, or members of its
 * connectors and records. */
static FlatCausality causality(Instance *inst)
{
    if (inst->direction == DIR_NONE || inst->is_protected)
        return FC_LOCAL;
    for (const Instance *p = inst->parent; p && p->parent; p = p->parent)
        if (!p->is_connector && !binding_is_record(p))
            return FC_LOCAL;
    return inst->direction == DIR_INPUT ? FC_INPUT : FC_OUTPUT;
}

void instance_variables(const Context *in, Instance *inst)
{
    if (inst->var_step != MAKING_NEW || inst->info->is_object ||
        inst->is_static || !instance_size(in, inst))
        return;
    inst->var_step = MAKING_DONE;
    if (in->flat->nvar > LIMIT_VARS - inst->nelement) {
        if (!ST(in)->too_many)
            diag_report(in->diag, inst->elem->ast->span, DIAG_E0916,
                        "the model has more than %d scalar variables",
                        LIMIT_VARS);
        ST(in)->too_many = true;
        return;
    }
    const Element *e = inst->elem;
    FlatVar v = flat_plain_var(NULL, e->ast->span);
    v.component = instance_component(inst->parent);
    v.type = flat_type(inst->type->kind);
    v.enumeration =
        inst->type->kind == TYPE_ENUM ? inst->type->enumeration : NONE;
    v.variability = inst->variability;
    v.causality = causality(inst);
    v.is_flow = inst->flow == FLOW_FLOW;
    v.from_outside =
        inst->in_connector && (v.is_flow || inst->direction == DIR_INPUT);
    v.is_protected = inst->is_protected;
    v.is_final = inst->is_final;
    v.is_structural = inst->evaluate && inst->variability == FV_PARAMETER;
    if (e->ast->comment)
        v.comment = e->ast->comment;
    if (v.variability == FV_CONTINUOUS && v.type != FT_REAL)
        v.variability = FV_DISCRETE;
    v.fixed = v.variability <= FV_PARAMETER;
    const char *path = instance_path(in, inst);
    inst->var = in->flat->nvar;
    for (int i = 0; i < inst->nelement; i++) {
        v.name = inst->ndim
                     ? arena_printf(in->arena, "%s%s", path,
                                    index_text(in, inst->ndim, inst->dim, i))
                     : path;
        int var = emit_var(in, v);
        while (ST(in)->var_owner.n < var) /* those that no model declares */
            vec_push(in->arena, &ST(in)->var_owner, NULL);
        vec_push(in->arena, &ST(in)->var_owner, inst);
    }
}

Instance *variable_owner(const Context *in, int var)
{
    const Structure *s = ST(in);
    return var < s->var_owner.n ? s->var_owner.at[var] : NULL;
}

/* ---- attributes (4.8) ---- */

Value *attribute_value(const Context *in, Instance *inst, Mod *m,
                       const Type *type)
{
    const char *what =
        arena_printf(in->arena, "%s.%s", instance_path(in, inst), m->name);
    /* the elements of a simple array are no instances: its own dimensions
     * stay in the value */
    Value *v = binding_split(in, inst, m, false, what);
    if (is_error(v))
        return NULL;
    int ndim = v->ndim == 0 ? 0 : inst->ndim;
    v = value_fit(in, v, type, ndim, inst->dim,
                  arena_printf(in->arena, "the attribute '%s' of '%s'", m->name,
                               instance_path(in, inst)),
                  m->value->span);
    return is_error(v) ? NULL : v;
}

static void report_attribute(const Context *in, const Mod *m, const char *what)
{
    diag_report(in->diag, m->value->span, DIAG_E0709,
                "the attribute '%s' must be %s", m->name, what);
}

static void set_text(const Context *in, Instance *inst, Mod *m)
{
    const char *text = NULL;
    if (m->value->kind == AE_STRING) {
        text = m->value->text;
    } else {
        Value *v = attribute_value(in, inst, m, type_builtin(TYPE_STRING));
        Value *k = v ? eval_fold(in, v) : NULL;
        if (!k || k->nscalar < 1) {
            if (v && v->nscalar)
                report_attribute(in, m, "a String known at compile time");
            return;
        }
        text = expr_node(in->dag, k->scalar[0])->text;
    }
    for (int i = 0; i < inst->nelement; i++) {
        FlatVar *x = &in->flat->var[inst->var + i];
        if (m->name[0] == 'u')
            x->unit = text;
        else if (m->name[0] == 'd')
            x->display_unit = text;
        else
            x->quantity = text;
    }
}

static void set_number(const Context *in, Instance *inst, Mod *m)
{
    Value *v = attribute_value(
        in, inst, m,
        strcmp(m->name, "nominal") == 0 ? type_builtin(TYPE_REAL) : inst->type);
    if (!v)
        return;
    if (v->variability > FV_PARAMETER) {
        report_attribute(in, m, "an expression of constants and parameters");
        return;
    }
    for (int i = 0; i < inst->nelement; i++) {
        Expr x = v->scalar[v->ndim ? i : 0];
        FlatVar *var = &in->flat->var[inst->var + i];
        if (strcmp(m->name, "start") == 0)
            var->start = x;
        else if (strcmp(m->name, "min") == 0)
            var->min = x;
        else if (strcmp(m->name, "max") == 0)
            var->max = x;
        else
            var->nominal = x;
    }
}

static void set_choice(const Context *in, Instance *inst, Mod *m,
                       const Type *type, const char *what)
{
    Value *v = attribute_value(in, inst, m, type);
    Value *k = v ? eval_fold(in, v) : NULL;
    if (!k) {
        if (v)
            report_attribute(in, m, what);
        return;
    }
    for (int i = 0; i < inst->nelement; i++) {
        FlatVar *x = &in->flat->var[inst->var + i];
        double value = 0;
        expr_is_const(in->dag, k->scalar[k->ndim ? i : 0], &value);
        if (type->kind == TYPE_ENUM) {
            x->state_select = (FlatStateSelect)(int)value;
        } else {
            x->has_fixed = true;
            x->fixed = value != 0;
        }
    }
}

void attribute_set(const Context *in, Instance *inst, Mod *m)
{
    const char *n = m->name;
    if (!m->value || inst->nelement == 0)
        return;
    if (strcmp(n, "unit") == 0 || strcmp(n, "displayUnit") == 0 ||
        strcmp(n, "quantity") == 0)
        set_text(in, inst, m);
    else if (strcmp(n, "start") == 0 || strcmp(n, "min") == 0 ||
             strcmp(n, "max") == 0 || strcmp(n, "nominal") == 0)
        set_number(in, inst, m);
    else if (strcmp(n, "fixed") == 0)
        set_choice(in, inst, m, type_builtin(TYPE_BOOLEAN),
                   "a Boolean known at compile time");
    else if (strcmp(n, "stateSelect") == 0)
        set_choice(in, inst, m, class_type(in, ST(in)->state_select),
                   "a StateSelect known at compile time");
}
