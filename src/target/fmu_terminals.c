/* fmu_terminals.c - terminalsAndIcons.xml (FMI 3.0, section 2.4.9; FMI 2.0.4
 * takes the same file): the connectors of the model's own interface, each with
 * its variables. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "target/fmu.h"

/* The part of the model itself that a component is in; NONE: none. */
static int terminal_of(const Flat *f, int component)
{
    int at = component;
    while (at > 0 && f->component[at].parent > 0)
        at = f->component[at].parent;
    return at > 0 && f->component[at].is_part ? at : NONE;
}

/* The terminals of all variables; NONE: it is of none. A record of the model
 * that neither signals nor flows pass is no terminal. */
static int *find_terminals(const FmuModel *m, Arena *arena)
{
    const Flat *f = m->in->flat;
    int *of = NEW_ARRAY(arena, int, m->nvar + 1);
    bool *passes = NEW_ARRAY(arena, bool, f->ncomponent + 1);
    for (int i = 0; i < m->nvar; i++) {
        int flat = flat_find(f, m->var[i].name);
        of[i] = flat == NONE ? NONE : terminal_of(f, f->var[flat].component);
        if (of[i] != NONE)
            passes[of[i]] |= f->var[flat].is_flow ||
                             m->var[i].causality == FMU_INPUT ||
                             m->var[i].causality == FMU_OUTPUT;
    }
    for (int i = 0; i < m->nvar; i++)
        if (of[i] != NONE && !passes[of[i]])
            of[i] = NONE;
    return of;
}

static void write_terminal(XmlOut *x, const FmuModel *m, const int *of,
                           int component)
{
    const Flat *f = m->in->flat;
    const FlatComponent *c = &f->component[component];
    xml_begin(x, "Terminal");
    xml_text(x, "name", c->name);
    xml_text(x, "matchingRule", "plug");
    xml_text(x, "terminalKind", c->class_name);
    for (int i = 0; i < m->nvar; i++) {
        if (of[i] != component)
            continue;
        const FlatVar *v = &f->var[flat_find(f, m->var[i].name)];
        xml_begin(x, "TerminalMemberVariable");
        xml_text(x, "variableName", m->var[i].name);
        xml_text(x, "memberName", m->var[i].name + strlen(c->name) + 1);
        xml_text(x, "variableKind", v->is_flow ? "inflow" : "signal");
        xml_end(x);
    }
    xml_end(x);
}

const char *fmu_terminals(const FmuModel *m, Arena *arena)
{
    const int *of = find_terminals(m, arena);
    bool any = false;
    for (int i = 0; i < m->nvar; i++)
        any |= of[i] != NONE;
    if (!any)
        return NULL;
    XmlOut x;
    xml_start(&x);
    xml_begin(&x, "fmiTerminalsAndIcons");
    xml_text(&x, "fmiVersion", "3.0");
    xml_begin(&x, "Terminals");
    for (int c = 1; c < m->in->flat->ncomponent; c++)
        for (int i = 0; i < m->nvar; i++)
            if (of[i] == c) {
                write_terminal(&x, m, of, c);
                break;
            }
    xml_end(&x);
    xml_end(&x);
    return xml_finish(&x, arena);
}
