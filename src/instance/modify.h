/* modify.h - modifiers: merging, precedence, final, each (7.2). */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_MODIFY_H
#define TAKT_INSTANCE_MODIFY_H

#include "eval/eval.h"

typedef struct Mod Mod;

/* Where the expressions or names of a modifier are looked up. `self`: in the
 * instance that is made of the class, which is not known before (mod_bind). */
typedef struct ModScope {
    Class *part;
    Instance *inst;
    bool self;
} ModScope;

/* A modification of one name. A Mod is never changed once it is part of a
 * class or an instance; merging and binding make new ones. */
struct Mod {
    const char *name; /* NULL: of the class or component itself */
    Span span;
    const AstExpr *value; /* binding, NULL: none */
    ModScope scope;       /* of the value */
    /* `depth` levels below the instance `anchor` levels deep the name stands;
     * the value is split over the arrays of components between level `stop`
     * and that of the name (each: 7.2.5). anchor NONE: not yet bound */
    int depth, stop, anchor;
    bool each, final, is_break;
    bool weak; /* inside something whose whole value an outer modifier set */
    const AstElem *redeclare; /* NULL: none */
    ModScope redeclare_scope;
    Mod *under;      /* what is redeclared by it in turn */
    Mod *constraint; /* of a redeclared component: modifiers of its
                        constraining clause, for what redeclares it (7.3.2) */
    bool in_text;    /* redeclare as an element of a class, not in a modifier */
    Mod **kid;
    int nkid;
    Value *cached; /* of the unsplit value */
    bool busy;     /* the value is being evaluated */
};

/* The modification (args) = value as written; NULL if `ast` is NULL. What it
 * modifies stands `depth` levels below the instance of its class: 1 for a
 * component, 0 for the class itself. */
Mod *mod_new(const Context *in, const AstMod *ast, ModScope scope, int depth);
/* A modification that redeclares `elem`. */
Mod *mod_new_redeclare(const Context *in, const AstElem *elem, ModScope scope,
                       int depth);
/* An empty modification with one kid. */
Mod *mod_wrap(const Context *in, Mod *kid);
/* The modification of `name` inside, NULL if there is none. */
Mod *mod_kid(const Mod *m, const char *name);
/* outer over inner; each may be NULL. Reports a change of what is final. */
Mod *mod_merge(const Context *in, Mod *outer, Mod *inner);
/* The same modification with `self` scopes bound to an instance. */
Mod *mod_bind(const Context *in, Mod *m, Instance *inst);
/* Without its own value, only with what is inside. */
/* `m` without what `own` says. */
Mod *mod_without(const Context *in, Mod *m, const Mod *own);
Mod *mod_without_value(const Context *in, Mod *m);
bool mod_is_empty(const Mod *m);

#endif
