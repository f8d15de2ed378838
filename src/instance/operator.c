/* operator.c - the functions that overload an operator of a record (14).
 *
 * `operator function '+'` is one function; `operator '-'` holds several. They
 * are found once for each class and operator, and what the language asks of
 * them is checked then.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

typedef Vec(const Function *) Functions;

/* What has been found of a class already. */
struct OperatorSet {
    struct OperatorSet *next;
    const char *name;
    const Function *const *fn;
    int n;
};

static int count(const Function *f, AstDirKind direction, const Type **last)
{
    int n = 0;
    for (int i = 0; i < f->nvar; i++) {
        if (f->var[i].direction != direction)
            continue;
        n++;
        *last = f->var[i].type;
    }
    return n;
}

/* 14.3 to 14.5: one output, of the record or String where that is asked. */
static bool is_well_formed(const Context *in, Class *cls, const char *name,
                           const Function *f)
{
    const Type *type = NULL, *self = class_type(in, cls);
    const char *wrong = NULL;
    bool makes = strcmp(name, "'constructor'") == 0 || strcmp(name, "'0'") == 0;
    if (count(f, DIR_OUTPUT, &type) != 1)
        wrong = "it must have one output";
    else if (makes && self && !type_common(self, type))
        wrong = arena_printf(in->arena, "its output must be of type '%s'",
                             cls->full_name);
    else if (strcmp(name, "'String'") == 0 && type->kind != TYPE_STRING)
        wrong = "its output must be a String";
    if (!wrong)
        return true;
    diag_report(in->run->root->diag, f->span, DIAG_E0934,
                "'%s' cannot overload %s: %s", f->name, name, wrong);
    return false;
}

static void add_function(const Context *in, Class *cls, const char *name,
                         Class *c, Functions *out)
{
    const Function *f = c ? class_function(in, c) : NULL;
    if (f && is_well_formed(in, cls, name, f))
        vec_push(in->arena, out, f);
}

static void collect(const Context *in, Class *cls, const char *name,
                    Functions *out)
{
    Element *e = class_find(in, cls, intern_str(in->names, name));
    Class *c = e && !e->is_component ? element_class(in, e, NULL) : NULL;
    if (!c || !class_elaborate(in, c))
        return;
    if (class_kind(c) != CK_OPERATOR) {
        add_function(in, cls, name, c, out);
        return;
    }
    for (int i = 0; i < c->nown; i++)
        if (!c->own[i]->is_component)
            add_function(in, cls, name, element_class(in, c->own[i], NULL),
                         out);
}

int class_operators(const Context *in, const Class *of, const char *name,
                    const Function *const **fn)
{
    Class *cls = (Class *)of;
    if (cls->is_builtin || !class_elaborate(in, cls) ||
        class_kind(cls) != CK_OPERATOR_RECORD)
        return 0;
    struct OperatorSet *s = cls->operators;
    while (s && strcmp(s->name, name) != 0)
        s = s->next;
    if (!s) {
        Functions found = {0};
        Trial fact;
        fact_begin(&fact, in, 0);
        collect(&fact.in, cls, name, &found);
        bool known = fact_end(&fact);
        s = NEW(in->arena, struct OperatorSet);
        *s = (struct OperatorSet){cls->operators, name, found.at, found.n};
        if (known)
            cls->operators = s;
    }
    *fn = s->fn;
    return s->n;
}
