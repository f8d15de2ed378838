/* places.c - where slots live in the C and what they are called.
 *
 * A slot that a segment reads before it is written, or that somebody asks for,
 * is a member of the instance; all others are local variables.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/ctext.h"
#include "emit/emit_internal.h"

const char *emit_group(Home home)
{
    switch (home) {
    case HOME_PARAM: return "p";
    case HOME_FIXED: return "d";
    case HOME_INPUT: return "u";
    default: return "s";
    }
}

static void use(bool *used, int slot)
{
    if (slot != NONE)
        used[slot] = true;
}

static bool *find_used(Emit *e)
{
    const Tape *t = e->t;
    bool *used = NEW_ARRAY(e->local, bool, t->nslot);
    for (int i = 0; i < t->code.n; i++) {
        const TapeInstr *in = &t->code.at[i];
        if (in->op == TAPE_BLOCK) {
            const TapeBlock *b = &t->block.at[in->a];
            for (int k = 0; k < b->n; k++) {
                used[b->x[k]] = true;
                used[b->delta[k]] = true;
            }
        } else {
            int arg[3], narg = tape_reads(in, arg);
            for (int k = 0; k < narg; k++)
                use(used, arg[k]);
            use(used, tape_writes(in));
        }
    }
    emit_factor_mark(e, used);
    emit_call_mark(e, used);
    return used;
}

static Home home_of(const Emit *e, const bool *used, int slot)
{
    const Tape *t = e->t;
    bool member = e->f->carried[slot] || e->f->wanted[slot];
    if (t->region[slot] == TR_CONST)
        return HOME_CONST;
    if (!used[slot] && !member)
        return HOME_NONE;
    if (!member)
        return HOME_LOCAL;
    if (slot == t->step)
        return HOME_PARAM;
    switch (t->region[slot]) {
    case TR_PARAM: return HOME_PARAM;
    case TR_DERIVED: return HOME_FIXED;
    case TR_INPUT: return HOME_INPUT;
    default: return HOME_STATE;
    }
}

/* ---- names ---- */

/* Local names of the generated functions. */
static const char *const own[] = {
#define LOCAL(name, what) #name,
#define OTHER(name, what)
#include "emit/own.def"
#undef LOCAL
#undef OTHER
#define STATUS(name, code, severity, fmi, of, word, text, hint)                \
    "of_" word, "is_" word,
#include "base/status.def"
};

static bool is_listed(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name, list[i]))
            return true;
    return false;
}

#define IS_LISTED(name, list)                                                  \
    is_listed((name), (list), sizeof(list) / sizeof(list)[0])

/* NAME_s, NAME_step0, NAME_STEP: what the model's own file defines. */
static bool is_symbol(Emit *e, const char *ident)
{
    static const char *const type[] = {"p", "d",    "u",       "s",
                                       "h", "stop", "variable"};
    static const char *const macro[] = {
        "NVAR", "NBLOCK", "STEP", "H", "FINE",
#define STATUS(name, ...) #name, "HAS_" #name,
#include "base/status.def"
    };
    const char *name = e->o->name;
    size_t n = strlen(name);
    if (strlen(ident) < n + 2 || ident[n] != '_')
        return false;
    const char *rest = ident + n + 1;
    if (!strncmp(ident, emit_upper(e, name), n) && IS_LISTED(rest, macro))
        return true;
    return !strncmp(ident, name, n) &&
           (IS_LISTED(rest, type) || !strncmp(rest, "step", 4) ||
            !strncmp(rest, "start", 5) || !strncmp(rest, "update", 6) ||
            !strncmp(rest, "rates", 5) || !strncmp(rest, "accept", 6) ||
            !strncmp(rest, "event", 5) || !strncmp(rest, "tangent", 7) ||
            !strncmp(rest, "advance", 7) || !strncmp(rest, "tick", 4) ||
            !strncmp(rest, "settle", 6) || !strncmp(rest, "due", 3));
}

/* t12 and c12 are slots without a name. */
static bool is_number(const char *ident)
{
    return (ident[0] == 't' || ident[0] == 'c') &&
           strspn(ident + 1, "0123456789") == strlen(ident + 1);
}

static bool is_taken(Emit *e, const char *ident)
{
    return c_is_reserved(ident) || IS_LISTED(ident, own) || is_number(ident) ||
           is_symbol(e, ident);
}

typedef struct Named {
    const char *ident;
    int slot;
} Named;

static int by_ident(const void *a, const void *b)
{
    const Named *x = a, *y = b;
    int order = strcmp(x->ident, y->ident);
    return order ? order : x->slot - y->slot;
}

/* Named slots get their own name; of several with the same, all but the first
 * get their number too. */
static void name_slots(Emit *e)
{
    const Tape *t = e->t;
    Vec(Named) all = {0};
    for (int i = 0; i < t->nslot; i++) {
        if (e->home[i] < HOME_PARAM)
            continue;
        const char *name = t->slot_name[i];
        if (!name) {
            e->ident[i] = arena_printf(e->local, "%s%d",
                                       e->home[i] == HOME_FIXED ? "c" : "t", i);
            continue;
        }
        Named n = {c_identifier(name, e->local), i};
        if (is_taken(e, n.ident))
            n.ident = arena_printf(e->local, "%s_", n.ident);
        vec_push(e->local, &all, n);
    }
    if (all.n > 0)
        qsort(all.at, (size_t)all.n, sizeof *all.at, by_ident);
    for (int i = 0; i < all.n; i++) {
        bool same = i > 0 && !strcmp(all.at[i].ident, all.at[i - 1].ident);
        e->ident[all.at[i].slot] =
            same ? arena_printf(e->local, "%s_%d_", all.at[i].ident,
                                all.at[i].slot)
                 : all.at[i].ident;
    }
}

void emit_places(Emit *e)
{
    const Tape *t = e->t;
    const bool *used = find_used(e);
    e->home = NEW_ARRAY(e->local, uint8_t, t->nslot);
    e->ident = NEW_ARRAY(e->local, const char *, t->nslot);
    e->ref = NEW_ARRAY(e->local, const char *, t->nslot);
    for (int i = 0; i < t->nslot; i++) {
        e->home[i] = (uint8_t)home_of(e, used, i);
        e->nmember[e->home[i]]++;
    }
    name_slots(e);
    for (int i = 0; i < t->nslot; i++) {
        switch ((Home)e->home[i]) {
        case HOME_NONE: break;
        case HOME_CONST: e->ref[i] = emit_number(e, t->initial[i]); break;
        case HOME_LOCAL: e->ref[i] = e->ident[i]; break;
        default:
            e->ref[i] = arena_printf(e->local, "m->%s.%s",
                                     emit_group((Home)e->home[i]), e->ident[i]);
        }
    }
    emit_factor_places(e);
}
