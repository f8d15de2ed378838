/* fmu_description3.c - modelDescription.xml of FMI 3.0. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/fmu.h"

static void write_abilities(XmlOut *x, const FmuModel *m)
{
    if (fmu_has_memory(m))
        xml_bool(x, "canBeInstantiatedOnlyOncePerProcess", true);
    xml_bool(x, "canGetAndSetFMUState", !fmu_has_memory(m));
    xml_bool(x, "canSerializeFMUState", !fmu_has_memory(m));
}

static void write_exchange(XmlOut *x, const FmuModel *m)
{
    xml_begin(x, "ModelExchange");
    xml_text(x, "modelIdentifier", m->in->name);
    write_abilities(x, m);
    xml_bool(x, "providesDirectionalDerivatives", m->exchange->moves);
    xml_bool(x, "providesAdjointDerivatives", m->exchange->moves);
    xml_bool(x, "needsCompletedIntegratorStep", true);
    xml_end(x);
}

static void write_kind(XmlOut *x, const FmuModel *m)
{
    xml_begin(x, "CoSimulation");
    xml_text(x, "modelIdentifier", m->in->name);
    xml_bool(x, "canHandleVariableCommunicationStepSize", false);
    write_abilities(x, m);
    xml_number(x, "fixedInternalStepSize", m->in->size);
    xml_end(x);
}

static void write_scheduled(XmlOut *x, const FmuModel *m)
{
    xml_begin(x, "ScheduledExecution");
    xml_text(x, "modelIdentifier", m->in->name);
    write_abilities(x, m);
    xml_end(x);
}

static void write_types(XmlOut *x, const FmuModel *m, Arena *arena)
{
    const Flat *f = m->in->flat;
    bool *used = NEW_ARRAY(arena, bool, f->nenumeration + 1), any = false;
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].type == FT_ENUM)
            used[m->var[i].enumeration] = any = true;
    if (!any)
        return;
    xml_begin(x, "TypeDefinitions");
    for (int i = 0; i < f->nenumeration; i++) {
        if (!used[i])
            continue;
        const FlatEnumeration *e = &f->enumeration[i];
        xml_begin(x, "EnumerationType");
        xml_text(x, "name", e->name);
        for (int k = 0; k < e->nliteral; k++) {
            xml_begin(x, "Item");
            xml_text(x, "name", e->literal[k]);
            xml_count(x, "value", k + 1);
            xml_end(x);
        }
        xml_end(x);
    }
    xml_end(x);
}

/* An attribute; that of a String is an element of its own. */
static void write_start(XmlOut *x, const FmuVar *v)
{
    if (!v->has_start)
        return;
    switch (v->type) {
    case FT_REAL: xml_number(x, "start", v->start); break;
    case FT_CLOCK: /* there is none here */
    case FT_BOOLEAN: xml_bool(x, "start", v->start != 0); break;
    case FT_STRING: break;
    default: xml_count(x, "start", (int64_t)v->start);
    }
}

/* Other names of each variable as a list: the first of each, the next one. */
typedef struct Aliases {
    int *first, *next;
} Aliases;

static Aliases find_aliases(const FmuModel *m, Arena *arena)
{
    Aliases a = {NEW_ARRAY(arena, int, m->nvar + 1),
                 NEW_ARRAY(arena, int, m->nvar + 1)};
    for (int i = 0; i < m->nvar; i++)
        a.first[i] = NONE;
    for (int i = m->nvar - 1; i >= 0; i--) {
        int of = m->var[i].alias;
        if (of == NONE)
            continue;
        a.next[i] = a.first[of];
        a.first[of] = i;
    }
    return a;
}

static void write_aliases(XmlOut *x, const FmuModel *m, const FmuVar *v,
                          const Aliases *a)
{
    for (int i = a->first[v - m->var]; i != NONE; i = a->next[i]) {
        xml_begin(x, "Alias");
        xml_text(x, "name", m->var[i].name);
        if (m->var[i].description[0])
            xml_text(x, "description", m->var[i].description);
        xml_end(x);
    }
}

static void write_variable(XmlOut *x, const FmuModel *m, const FmuVar *v,
                           const Aliases *aliases)
{
    static const char *const element[] = {"Float64", "Int32", "Boolean",
                                          "String", "Enumeration"};
    xml_begin(x, element[v->type]);
    xml_text(x, "name", v->name);
    xml_count(x, "valueReference", v->reference);
    if (v->description[0])
        xml_text(x, "description", v->description);
    xml_text(x, "causality", fmi_causality_text[v->causality]);
    xml_text(x, "variability", fmi_variability_text[v->variability]);
    if (v->initial)
        xml_text(x, "initial", v->initial);
    if (v->type == FT_ENUM)
        xml_text(x, "declaredType",
                 m->in->flat->enumeration[v->enumeration].name);
    if (v->type == FT_REAL && v->quantity[0])
        xml_text(x, "quantity", v->quantity);
    if (v->type == FT_REAL && v->unit[0])
        xml_text(x, "unit", v->unit);
    const FmuClock *clock = fmu_clock_of(m, v);
    if (clock)
        xml_count(x, "clocks", clock->reference);
    fmu_write_range(x, v);
    write_start(x, v);
    if (v->derivative_of != NONE)
        xml_count(x, "derivative", m->var[v->derivative_of].reference);
    if (v->type == FT_STRING) {
        xml_begin(x, "Start");
        xml_text(x, "value", v->text);
        xml_end(x);
    }
    write_aliases(x, m, v, aliases);
    xml_end(x);
}

static void write_unknown(XmlOut *x, const FmuModel *m, const char *kind,
                          const FmuVar *v, Arena *arena)
{
    xml_begin(x, kind);
    xml_count(x, "valueReference", v->reference);
    fmu_write_dependencies(x, m, v, arena);
    xml_end(x);
}

static void write_structure(XmlOut *x, const FmuModel *m, Arena *arena)
{
    xml_begin(x, "ModelStructure");
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].causality == FMU_OUTPUT)
            write_unknown(x, m, "Output", &m->var[i], arena);
    for (int i = 0; m->exchange && i < m->exchange->nx; i++)
        write_unknown(x, m, "ContinuousStateDerivative",
                      &m->var[m->exchange->slope[i]], arena);
    for (int i = 0; i < m->nvar; i++) {
        if (m->var[i].alias != NONE || !fmu_is_initial_unknown(&m->var[i]))
            continue;
        xml_begin(x, "InitialUnknown");
        xml_count(x, "valueReference", m->var[i].reference);
        xml_end(x);
    }
    for (int i = 0; m->exchange && i < m->nvar; i++)
        if (m->var[i].is_indicator)
            write_unknown(x, m, "EventIndicator", &m->var[i], arena);
    xml_end(x);
}

const char *fmu_description3(const FmuModel *m, Arena *arena)
{
    XmlOut x;
    xml_start(&x);
    xml_begin(&x, "fmiModelDescription");
    xml_text(&x, "fmiVersion", "3.0");
    xml_text(&x, "modelName", m->in->model);
    xml_text(&x, "instantiationToken", m->token);
    if (m->in->flat->comment && m->in->flat->comment[0])
        xml_text(&x, "description", m->in->flat->comment);
    xml_text(&x, "generationTool",
             arena_printf(arena, "takt %s", m->in->version));
    xml_text(&x, "variableNamingConvention",
             m->is_structured ? "structured" : "flat");
    if (m->exchange)
        write_exchange(&x, m);
    if (m->has_cosim)
        write_kind(&x, m);
    if (m->nclock > 0)
        write_scheduled(&x, m);
    fmu_write_units(&x, m, arena);
    write_types(&x, m, arena);
    fmu_write_categories(&x);
    xml_begin(&x, "DefaultExperiment");
    xml_number(&x, "startTime", m->in->start);
    xml_number(&x, "stopTime", m->in->stop);
    xml_number(&x, "stepSize", m->in->size);
    xml_end(&x);
    Aliases aliases = find_aliases(m, arena);
    xml_begin(&x, "ModelVariables");
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].alias == NONE)
            write_variable(&x, m, &m->var[i], &aliases);
    fmu_write_clocks(&x, m);
    xml_end(&x);
    write_structure(&x, m, arena);
    xml_end(&x);
    return xml_finish(&x, arena);
}
