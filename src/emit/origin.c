/* origin.c - where a statement comes from, in words. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emit/emit_internal.h"

enum { LONGEST = 120 };

/* The name of a file, with its folder where it would tell nothing else. */
static const char *file_name(const char *path)
{
    const char *base = strrchr(path, '/');
    if (!base)
        return path;
    if (strcmp(base, "/package.mo"))
        return base + 1;
    while (base > path && base[-1] != '/')
        base--;
    return base;
}

EmitPlace emit_place(const Emit *e, Span span)
{
    Place place = {0};
    if (e->o->sources && span.source != NONE)
        place = sources_place(e->o->sources, span);
    return place.path ? (EmitPlace){file_name(place.path), place.line}
                      : (EmitPlace){NULL, 0};
}

const char *emit_place_text(Emit *e, Span span)
{
    EmitPlace p = emit_place(e, span);
    return p.file ? arena_printf(e->local, "%s:%d", p.file, p.line) : NULL;
}

static const char *expression(Emit *e, Expr x)
{
    const Inlined *d = e->f->low->inlined;
    return expr_text(d->dag, x, inlined_var_name, (void *)d, LONGEST, e->local);
}

static const char *entry_name(const Emit *e, int entry)
{
    const Inlined *d = e->f->low->inlined;
    return entry == NONE          ? ""
           : entry < d->sys->nvar ? d->sys->var[entry].name
                                  : d->var[entry].name;
}

const char *emit_equation(Emit *e, const TapeOrigin *o)
{
    const Inlined *d = e->f->low->inlined;
    switch (o->role) {
    case TO_RELATION: return expression(e, d->relation[o->eqn].now);
    case TO_DELAY:
        return arena_printf(e->local,
                            d->delay[o->eqn].past == IP_DELAY
                                ? "delay(%s)"
                                : "spatialDistribution(%s)",
                            expression(e, d->delay[o->eqn].expr));
    case TO_ACTION:
        return arena_printf(e->local, "when %s",
                            expression(e, d->action[o->eqn].active));
    case TO_ASSERT:
        return o->eqn == NONE
                   ? arena_printf(e->local, "bounds of %s",
                                  entry_name(e, o->entry))
                   : arena_printf(
                         e->local, "assert(%s)",
                         expression(e, d->assertion[o->eqn].condition));
    case TO_OUTPUT:
        return arena_printf(e->local, "%s = %s", entry_name(e, o->entry),
                            expression(e, d->computed[o->entry]));
    default:
        if (o->system == NONE || o->eqn == NONE)
            return NULL;
        return inlined_eqn_text(d, &d->system[o->system].eqn[o->eqn], LONGEST,
                                e->local);
    }
}

const char *emit_role(TapeRole role)
{
    static const char *const text[TO_NROLE] = {
        [TO_NONE] = "term",
        [TO_ASSIGN] = "term",
        [TO_GUESS] = "guess",
        [TO_RESIDUAL] = "residual",
        [TO_JACOBIAN] = "jacobian",
        [TO_FACTOR] = "factor",
        [TO_SOLVE] = "correction",
        [TO_CARRY] = "carried",
        [TO_START] = "start",
        [TO_RELATION] = "relation",
        [TO_DELAY] = "delay",
        [TO_ACTION] = "action",
        [TO_ASSERT] = "assertion",
        [TO_SET] = "choice of states",
        [TO_OUTPUT] = "output",
        [TO_STEP] = "step",
        [TO_DEFECT] = "defect",
        [TO_ESTIMATE] = "estimate",
        [TO_RUNNING] = "running error",
        [TO_BOUND] = "bound",
        [TO_DOMAIN] = "domain",
        [TO_DAMPING] = "damping",
    };
    return text[role];
}

const char *emit_remark(Emit *e, const TapeOrigin *o)
{
    const char *place = emit_place_text(e, o->span), *what = NULL;
    switch (o->role) {
    case TO_GUESS: what = "guess"; break;
    case TO_RESIDUAL: what = "residual"; break;
    case TO_JACOBIAN:
        what =
            arena_printf(e->local, "Jacobian by %s", entry_name(e, o->entry));
        break;
    case TO_FACTOR: what = "factors"; break;
    case TO_SOLVE:
        what =
            arena_printf(e->local, "correction of %s", entry_name(e, o->entry));
        break;
    case TO_CARRY: return "for the next step";
    case TO_START: what = "start value"; break;
    case TO_RELATION: return emit_equation(e, o);
    case TO_DELAY: return "delayed value";
    case TO_ACTION: what = "when clause"; break;
    case TO_ASSERT: what = "assertion"; break;
    case TO_SET: return "choice of states";
    default: break;
    }
    if (!what || !place)
        return what ? what : place;
    return arena_printf(e->local, "%s, %s", what, place);
}
