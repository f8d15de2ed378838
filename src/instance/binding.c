/* binding.c - the values of components: declaration equations and attributes.
 *
 * The value of a component is what the outermost modifier says. A modifier that
 * was written for an array of components holds a value for each element, unless
 * `each` says that it is meant for all (7.2.5): the indices of the elements on
 * the way from the place of the modifier to the component choose the part. The
 * member of a record takes its part of the value of the whole record.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

/* ---- values of modifiers ---- */

static Value *mod_value(const Context *in, Mod *m, const char *what)
{
    if (m->cached)
        return m->cached;
    if (m->busy) {
        diag_report(in->diag, m->value->span, DIAG_E0913,
                    "the value of '%s' depends on itself", what);
        Value *v = value_error(in);
        if (!context_is_silent(in))
            m->cached = v;
        return v;
    }
    Trial fact;
    fact_begin(&fact, in, in->component);
    fact.in.forbids_impure = in->forbids_impure;
    m->busy = true;
    Value *v = eval_expr(&fact.in, mod_scope(in, m->scope), m->value);
    m->busy = false;
    if (m->cached)
        v = m->cached;
    if (fact_end(&fact))
        m->cached = v;
    return v;
}

/* The indices of the elements between the modifier and `inst`, outermost
 * first. `self`: the element `inst` itself counts. */
static int split_indices(const Instance *inst, const Mod *m, bool self,
                         int *index, int *size)
{
    int reversed[64], sizes[64], n = 0;
    if (m->anchor == NONE)
        return 0;
    int stop = m->stop ? m->anchor + m->stop : m->anchor + 1;
    const Instance *a = self ? inst : inst->parent;
    for (; a && a->depth > m->anchor; a = a->parent) {
        if (!a->array)
            continue;
        if (a != inst && a->depth < stop)
            break;
        int k = a->index;
        for (int i = a->array->ndim - 1; i >= 0 && n < 64; i--) {
            sizes[n] = a->array->dim[i];
            reversed[n++] = k % a->array->dim[i];
            k /= a->array->dim[i];
        }
    }
    for (int i = 0; i < n; i++) {
        index[i] = reversed[n - 1 - i];
        size[i] = sizes[n - 1 - i];
    }
    return n;
}

Value *binding_split(const Context *in, Instance *inst, Mod *m, bool self,
                     const char *what)
{
    Value *v = mod_value(in, m, what);
    if (is_error(v))
        return v;
    int index[64], size[64];
    int n = split_indices(inst, m, self, index, size);
    if (n == 0)
        return v;
    if (v->ndim < n) {
        diag_report(in->diag, m->value->span, DIAG_E0707,
                    "'%s' stands in an array of components, so its modifier "
                    "needs a value for each of them",
                    what);
        diag_note(in->diag, m->span,
                  "write 'each' in front if the same value is meant for all");
        return m->cached = value_error(in);
    }
    for (int i = 0; i < n; i++) {
        if (v->dim[i] != size[i]) {
            diag_report(in->diag, m->value->span, DIAG_E0708,
                        "the modifier of '%s' has %d values for %d components",
                        what, v->dim[i], size[i]);
            return m->cached = value_error(in);
        }
    }
    return value_pick(in, v, n, index);
}

/* ---- the value given to a component ---- */

bool binding_is_record(const Instance *inst)
{
    if (!inst || inst->kind != IK_OBJECT || !inst->cls || !inst->cls->ast)
        return false;
    AstClassKind k = class_kind(inst->cls);
    return k == CK_RECORD || k == CK_OPERATOR_RECORD || inst->is_connector ||
           k == CK_CLASS;
}

static Value *member_of(const Context *in, Value *v, const char *name)
{
    if (is_error(v))
        return v;
    if (v->type->kind != TYPE_RECORD)
        return value_error(in);
    for (int i = 0; i < v->type->nmember; i++)
        if (v->type->member[i].name == name)
            return v->member[i];
    return NULL;
}

/* Was the value written outside of the record that `inst` belongs to? */
static bool from_outside(const Instance *inst, const Mod *m)
{
    return m && m->value && !m->weak && m->anchor != NONE && inst->parent &&
           m->anchor < inst->parent->depth;
}

/* The part of an array's value that belongs to its element `inst`. */
static Value *own_element(const Context *in, Instance *inst, Value *v)
{
    int index[32];
    int n = inst->array->ndim, k = inst->index;
    if (v->ndim < n || n > 32)
        return value_error(in);
    for (int i = n - 1; i >= 0; i--) {
        index[i] = k % inst->array->dim[i];
        k /= inst->array->dim[i];
        if (index[i] >= v->dim[i])
            return value_error(in);
    }
    return value_pick(in, v, n, index);
}

Value *instance_raw_binding(const Context *in, Instance *inst)
{
    Mod *m = inst->mod;
    Context own = context_owned(in, instance_component(inst));
    own.forbids_impure = inst->variability > FV_PARAMETER &&
                         (inst->kind == IK_PRIM || binding_is_record(inst));
    Value *v = NULL;
    Instance *p = inst->parent;
    if (!from_outside(inst, m) && binding_is_record(p) && p->parent) {
        Value *whole = instance_raw_binding(in, p);
        if (whole && !(m && m->is_break))
            v = member_of(in, whole, inst->elem->name);
        if (v && inst->array && !is_error(v))
            v = own_element(in, inst, v);
    }
    if (!v && m && m->value) {
        inst->binding_span = m->value->span;
        v = binding_split(&own, inst, m, inst->array != NULL,
                          instance_path(in, inst));
    } else if (v) {
        inst->binding_span = p->binding_span;
    }
    return v;
}

static const Type *type_of(const Context *in, const Instance *inst)
{
    return inst->kind == IK_PRIM ? inst->type : class_type(in, inst->cls);
}

static Value *fitted_binding(const Context *in, Instance *inst)
{
    Value *v = instance_raw_binding(in, inst);
    if (!v || !instance_size(in, inst))
        return v;
    const Type *type = type_of(in, inst);
    if (!type)
        return v;
    int ndim = inst->kind == IK_PRIM ? inst->ndim : 0;
    return value_fit(
        in, v, type, ndim, inst->dim,
        arena_printf(in->arena, "the value of '%s'", instance_path(in, inst)),
        inst->binding_span);
}

Value *instance_binding(const Context *in, Instance *inst)
{
    if (inst->bind_step == MAKING_DONE)
        return inst->binding;
    if (inst->bind_step == MAKING_BUSY) {
        diag_report(in->diag, inst->elem->ast->span, DIAG_E0913,
                    "the value of '%s' depends on itself",
                    instance_path(in, inst));
        Value *v = value_error(in);
        if (!context_is_silent(in)) {
            inst->bind_step = MAKING_DONE;
            inst->binding = v;
        }
        return v;
    }
    Trial fact;
    fact_begin(&fact, in, instance_component(inst));
    inst->bind_step = MAKING_BUSY;
    Value *v = fitted_binding(&fact.in, inst);
    if (inst->bind_step == MAKING_DONE)
        v = inst->binding;
    bool known = fact_end(&fact);
    inst->bind_step = known ? MAKING_DONE : MAKING_NEW;
    inst->binding = known ? v : NULL;
    return v;
}

/* ---- reading ---- */

static Value *constant_value(const Context *in, Instance *inst, Span span)
{
    Value *v = instance_binding(in, inst);
    if (!v) {
        diag_report(in->diag, span, DIAG_E0914,
                    "the constant '%s' has no value", instance_path(in, inst));
        diag_note(in->diag, inst->elem->ast->span, "it is declared here");
        return value_error(in);
    }
    Value *known = is_error(v) ? v : eval_fold(in, v);
    if (!known) {
        if (v->variability == FV_CONSTANT)
            return v;
        diag_report(in->diag, inst->binding_span, DIAG_E0915,
                    "'%s' is a constant, but its value is not known at "
                    "compile time",
                    instance_path(in, inst));
        return value_error(in);
    }
    return known;
}

/* Is a component of components a record? Models have no value. */
static bool has_value(const Context *in, const Instance *inst)
{
    const Type *type = class_type(in, inst->cls);
    return type && type->kind == TYPE_RECORD;
}

static Value *record_value(const Context *in, Instance *inst, Span span)
{
    const Type *type = class_type(in, inst->cls);
    if (!has_value(in, inst)) {
        diag_report(in->diag, span, DIAG_E0309,
                    "'%s' is a component of '%s' and has no value",
                    instance_path(in, inst), inst->cls->full_name);
        return value_error(in);
    }
    Value **member = NEW_ARRAY(in->arena, Value *, type->nmember);
    for (int i = 0; i < type->nmember; i++) {
        Instance *c = instance_child_by_name(in, inst, type->member[i].name);
        member[i] = instance_value(in, c, span);
        if (is_error(member[i]))
            return member[i];
    }
    return value_record(in, type, 0, NULL, member);
}

static const char *literal_unit(const Instance *inst)
{
    static const char none[] = "";
    for (int i = 0; inst->mod && i < inst->mod->nkid; i++) {
        const Mod *k = inst->mod->kid[i];
        if (strcmp(k->name, "unit") == 0 && k->value)
            return k->value->kind == AE_STRING ? k->value->text : NULL;
    }
    return none;
}

/* The variables of an array as one value; an error where there are none. */
static Value *variable_value(const Context *in, Instance *inst)
{
    static const ExprType expr_type_of[] = {
        [TYPE_REAL] = ET_REAL,       [TYPE_INTEGER] = ET_INTEGER,
        [TYPE_BOOLEAN] = ET_BOOLEAN, [TYPE_STRING] = ET_STRING,
        [TYPE_CLOCK] = ET_BOOLEAN,   [TYPE_ENUM] = ET_INTEGER};
    instance_variables(in, inst);
    if (inst->var == NONE)
        return value_error(in);
    Expr *x = NEW_ARRAY(in->arena, Expr, inst->nelement);
    for (int i = 0; i < inst->nelement; i++)
        x[i] =
            expr_var(in->dag, inst->var + i, 0, expr_type_of[inst->type->kind]);
    FlatVariability v = inst->nelement ? in->flat->var[inst->var].variability
                                       : inst->variability;
    inst->value = value_new(in, inst->type, inst->ndim, inst->dim, x, v);
    inst->value->index = inst->index_type;
    if (inst->type->kind == TYPE_REAL)
        inst->value->unit = literal_unit(inst);
    return inst->value;
}

/* The value of what is no variable: a record, an external object, a constant.
 */
static Value *new_value(const Context *in, Instance *inst, Span span)
{
    if (inst->kind == IK_OBJECT)
        return record_value(in, inst, span);
    if (inst->info->is_object) {
        Value *v = instance_binding(in, inst);
        return v ? v : value_error(in);
    }
    Value *v = constant_value(in, inst, span);
    if (v->type->kind == TYPE_REAL && !v->unit)
        v->unit = literal_unit(inst);
    return v;
}

static Value *array_value(const Context *in, Instance *inst, Span span)
{
    Value **v = NEW_ARRAY(in->arena, Value *, inst->nelement);
    for (int i = 0; i < inst->nelement; i++)
        v[i] = instance_value(in, inst->element[i], span);
    return reference_gather(in, inst, v, span);
}

Value *instance_value(const Context *in, Instance *inst, Span span)
{
    if (inst->kind == IK_ERROR || !instance_size(in, inst))
        return value_error(in);
    if (inst->kind == IK_ABSENT) {
        diag_report(in->diag, span, DIAG_E0313,
                    "'%s' is not there: its condition is false",
                    instance_path(in, inst));
        return value_error(in);
    }
    if (inst->kind == IK_ARRAY)
        return array_value(in, inst, span);
    if (inst->value)
        return inst->value;
    if (inst->kind == IK_PRIM && !inst->info->is_object &&
        inst->variability != FV_CONSTANT)
        return variable_value(in, inst);
    if (in->only_size && inst->kind == IK_OBJECT && !has_value(in, inst))
        return value_int(in, 0);
    Trial fact;
    fact_begin(&fact, in, instance_component(inst));
    Value *v = new_value(&fact.in, inst, span);
    if (fact_end(&fact))
        inst->value = v;
    return v;
}

/* ---- all of it ---- */

static void check_variability(const Context *in, const Instance *inst,
                              const Value *v)
{
    if (is_error(v) || in->flat->var[inst->var].variability >= v->variability)
        return;
    static const char *const name[] = {"constant", "parameter", "discrete",
                                       "continuous"};
    FlatVariability own = in->flat->var[inst->var].variability;
    if (own == FV_DISCRETE && inst->type->kind == TYPE_REAL &&
        inst->variability != FV_DISCRETE)
        return;
    diag_report(in->diag, inst->binding_span, DIAG_E0917,
                "'%s' is %s, but its value is %s", inst->elem->name, name[own],
                name[v->variability]);
    diag_note(in->diag, inst->elem->ast->span, "it is declared here");
}

static void bind_prim(const Context *in, Instance *inst)
{
    if (inst->info->is_object) {
        instance_binding(in, inst);
        return;
    }
    if (inst->var == NONE)
        return;
    for (int i = 0; inst->mod && i < inst->mod->nkid; i++)
        attribute_set(in, inst, inst->mod->kid[i]);
    Value *v = instance_binding(in, inst);
    if (!v || is_error(v) || inst->nelement == 0 || !v->scalar)
        return;
    check_variability(in, inst, v);
    if (inst->elem->ast->component->variability == VAR_DISCRETE &&
        inst->type->kind == TYPE_REAL && inst->variability == FV_DISCRETE)
        diag_report(in->diag, inst->binding_span, DIAG_E0937,
                    "'%s' is a discrete Real: it gets its value inside when "
                    "(4.5.1)",
                    inst->elem->name);
    for (int i = 0; i < inst->nelement; i++) {
        FlatVar *x = &in->flat->var[inst->var + i];
        x->binding_span = inst->binding_span;
        if (x->variability <= FV_PARAMETER) {
            x->binding = v->scalar[i];
            if (x->variability == FV_CONSTANT && inst->value &&
                inst->value->scalar)
                x->binding = inst->value->scalar[i];
            continue;
        }
        if (x->causality == FC_INPUT)
            x->causality = FC_LOCAL;
        Expr lhs = expr_var(in->dag, inst->var + i, 0,
                            expr_type(in->dag, v->scalar[i]));
        lhs = instance_value(in, inst, inst->binding_span)->scalar[i];
        equation_emit(in, instance_component(inst), lhs, v->scalar[i],
                      FO_BINDING, inst->binding_span);
    }
}

void instance_bind_all(const Context *in, Instance *inst)
{
    if (inst->outer_of || inst->kind == IK_ERROR || inst->kind == IK_ABSENT)
        return;
    if (inst->kind == IK_PRIM) {
        Context own = context_owned(in, instance_component(inst));
        bind_prim(&own, inst);
    } else if (inst->kind == IK_ARRAY) {
        for (int i = 0; i < inst->nelement; i++)
            instance_bind_all(in, inst->element[i]);
    } else {
        for (int i = 0; i < inst->cls->ncomp; i++)
            if (inst->child[i] && inst->child[i]->parent == inst)
                instance_bind_all(in, inst->child[i]);
        for (int i = 0; i < inst->nadded; i++)
            instance_bind_all(in, inst->added[i]);
    }
}

/* ---- parameters that depend on themselves ---- */

static void report_cycle(const Context *in, const int *stack, int n, int var)
{
    const char *text = in->flat->var[var].name;
    int from = n - 1;
    while (from > 0 && stack[from] != var)
        from--;
    for (int i = n - 1; i >= from; i--)
        text = arena_printf(in->arena, "%s -> %s", in->flat->var[stack[i]].name,
                            text);
    diag_report(in->diag, in->flat->var[var].binding_span, DIAG_E0913,
                "the value of '%s' depends on itself: %s",
                in->flat->var[var].name, text);
}

/* The bindings on the cycle that ends at `var`, without the branches that are
 * not taken. Has that changed one? */
static bool prune_cycle(const Context *in, const int *stack, int n, int var)
{
    bool changed = false;
    for (int i = n - 1; i >= 0; i--) {
        FlatVar *x = &in->flat->var[stack[i]];
        Expr p = eval_prune(in, x->binding);
        changed |= p != x->binding;
        x->binding = p;
        if (stack[i] == var)
            break;
    }
    return changed;
}

/* Depth first over bindings of parameters, with a stack of its own. False: some
 * seemed to depend on themselves and have been changed. */
static bool check_cycles(const Context *in)
{
    bool done = true;
    Flat *f = in->flat;
    Arena *temp = arena_new();
    char *state = NEW_ARRAY(temp, char, f->nvar + 1); /* 1 open, 2 done */
    int *stack = NEW_ARRAY(temp, int, f->nvar + 1);
    struct {
        Expr *leaf;
        int n, next;
    } *frame = arena_array(temp, (size_t)f->nvar + 1, sizeof *frame);
    for (int v = 0; v < f->nvar; v++) {
        int depth = 0;
        stack[0] = v;
        if (state[v] || f->var[v].binding == EXPR_NONE)
            continue;
        while (depth >= 0) {
            int x = stack[depth];
            if (!state[x]) {
                state[x] = 1;
                frame[depth].next = frame[depth].n = 0;
                if (f->var[x].binding != EXPR_NONE)
                    frame[depth].n = expr_leaves(in->dag, f->var[x].binding,
                                                 &frame[depth].leaf, temp);
            }
            if (frame[depth].next == frame[depth].n) {
                state[x] = 2;
                depth--;
                continue;
            }
            int w, order;
            if (!expr_is_var(in->dag, frame[depth].leaf[frame[depth].next++],
                             &w, &order))
                continue;
            if (state[w] == 1) {
                if (prune_cycle(in, stack, depth + 1, w))
                    done = false;
                else if (done)
                    report_cycle(in, stack, depth + 1, w);
                continue;
            }
            if (state[w] == 0)
                stack[++depth] = w;
        }
    }
    arena_free(temp);
    return done;
}

void binding_check_cycles(const Context *in)
{
    while (!check_cycles(in)) {
    }
}

Value *binding_of_var(const Context *in, int var)
{
    Instance *inst = variable_owner(in, var);
    if (!inst)
        return NULL;
    Value *v = instance_binding(in, inst);
    int k = var - inst->var;
    if (v) {
        if (is_error(v) || !v->scalar)
            return NULL;
        return inst->ndim ? value_new(in, v->type, 0, NULL, &v->scalar[k],
                                      v->variability)
                          : v;
    }
    for (int i = 0; inst->mod && i < inst->mod->nkid; i++) {
        Mod *m = inst->mod->kid[i];
        if (strcmp(m->name, "fixed") == 0 && m->value &&
            m->value->kind == AE_BOOLEAN && m->value->value == 0)
            return NULL;
    }
    for (int i = 0; inst->mod && i < inst->mod->nkid; i++) {
        Mod *m = inst->mod->kid[i];
        if (strcmp(m->name, "start") != 0 || !m->value)
            continue;
        Value *s = attribute_value(in, inst, m, inst->type);
        if (!s || s->variability > FV_PARAMETER)
            return NULL;
        left_warning(in, inst->elem->ast->span, DIAG_W0901,
                     arena_printf(in->arena,
                                  "the parameter '%s' has no value; its start "
                                  "value is used",
                                  in->flat->var[var].name));
        return s->ndim ? value_new(in, s->type, 0, NULL, &s->scalar[k],
                                   s->variability)
                       : s;
    }
    return NULL;
}

void binding_make_structural(const Context *in, int var)
{
    FlatVar *x = &in->flat->var[var];
    if (x->variability != FV_PARAMETER)
        return;
    Vec(int) todo = {0};
    vec_push(in->arena, &todo, var);
    while (todo.n > 0) {
        int v = vec_pop(&todo);
        x = &in->flat->var[v];
        if (x->is_structural && v != var)
            continue;
        bool before = x->is_structural;
        x->is_structural = true;
        Instance *inst = variable_owner(in, v);
        Value *b =
            inst && inst->bind_step == MAKING_DONE ? inst->binding : NULL;
        if (before || !b || is_error(b) || !b->scalar)
            continue;
        Expr *leaf;
        int n =
            expr_leaves(in->dag, b->scalar[v - inst->var], &leaf, in->arena);
        for (int i = 0; i < n; i++) {
            int w, order;
            if (expr_is_var(in->dag, leaf[i], &w, &order) &&
                in->flat->var[w].variability == FV_PARAMETER)
                vec_push(in->arena, &todo, w);
        }
    }
}
