/* fmu_description2.c - modelDescription.xml of FMI 2.0. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "base/ctext.h"
#include "target/fmu.h"

/* NAME.c, or a file of a folder. */
static void write_source(XmlOut *x, const char *name, const char *more)
{
    char text[2 * C_IDENTIFIER_MOST + 16];
    bool in_folder = name[strlen(name) - 1] == '/';
    snprintf(text, sizeof text, "%s%s%s", name, more, in_folder ? "" : ".c");
    xml_begin(x, "File");
    xml_text(x, "name", text);
    xml_end(x);
}

static void write_sources(XmlOut *x, const FmuModel *m)
{
    const char *n = m->in->name;
    xml_begin(x, "SourceFiles");
    static const char *const own[] = {"", "_fmu", "_external"};
    for (int i = 0; i < (m->in->out->external && !m->in->foreign ? 3 : 2); i++)
        write_source(x, n, own[i]);
    for (int i = 0; i < m->in->ninner; i++)
        if (m->in->inner[i].is_code)
            write_source(x, TARGET_INNER, m->in->inner[i].name);
    xml_end(x);
}

static void write_kind(XmlOut *x, const FmuModel *m, bool exchange)
{
    xml_begin(x, exchange ? "ModelExchange" : "CoSimulation");
    xml_text(x, "modelIdentifier", m->in->name);
    if (!exchange)
        xml_bool(x, "canHandleVariableCommunicationStepSize", false);
    if (fmu_has_memory(m))
        xml_bool(x, "canBeInstantiatedOnlyOncePerProcess", true);
    xml_bool(x, "canGetAndSetFMUstate", !fmu_has_memory(m));
    xml_bool(x, "canSerializeFMUstate", !fmu_has_memory(m));
    if (exchange)
        xml_bool(x, "providesDirectionalDerivative", m->exchange->moves);
    if (fmu_is_whole(m))
        write_sources(x, m);
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
        xml_begin(x, "SimpleType");
        xml_text(x, "name", e->name);
        xml_begin(x, "Enumeration");
        for (int k = 0; k < e->nliteral; k++) {
            xml_begin(x, "Item");
            xml_text(x, "name", e->literal[k]);
            xml_count(x, "value", k + 1);
            xml_end(x);
        }
        xml_end(x);
        xml_end(x);
    }
    xml_end(x);
}

static void write_start(XmlOut *x, const FmuVar *v)
{
    if (!v->has_start)
        return;
    switch (v->type) {
    case FT_REAL: xml_number(x, "start", v->start); break;
    case FT_CLOCK: /* there is none here */
    case FT_BOOLEAN: xml_bool(x, "start", v->start != 0); break;
    case FT_STRING: xml_text(x, "start", v->text); break;
    default: xml_count(x, "start", (int64_t)v->start);
    }
}

static void write_variable(XmlOut *x, const FmuModel *m, const FmuVar *v)
{
    static const char *const element[] = {"Real", "Integer", "Boolean",
                                          "String", "Enumeration"};
    xml_begin(x, "ScalarVariable");
    xml_text(x, "name", v->name);
    xml_count(x, "valueReference", v->reference);
    if (v->description[0])
        xml_text(x, "description", v->description);
    xml_text(x, "causality", fmi_causality_text[v->causality]);
    xml_text(x, "variability", fmi_variability_text[v->variability]);
    if (v->initial)
        xml_text(x, "initial", v->initial);
    xml_begin(x, element[v->type]);
    if (v->type == FT_ENUM)
        xml_text(x, "declaredType",
                 m->in->flat->enumeration[v->enumeration].name);
    if (v->type == FT_REAL && v->quantity[0])
        xml_text(x, "quantity", v->quantity);
    if (v->type == FT_REAL && v->unit[0])
        xml_text(x, "unit", v->unit);
    fmu_write_range(x, v);
    write_start(x, v);
    if (v->derivative_of != NONE)
        xml_count(x, "derivative", v->derivative_of + 1);
    xml_end(x);
    xml_end(x);
}

static void write_unknown(XmlOut *x, const FmuModel *m, int i, Arena *arena)
{
    xml_begin(x, "Unknown");
    xml_count(x, "index", i + 1);
    fmu_write_dependencies(x, m, &m->var[i], arena);
    xml_end(x);
}

static void write_structure(XmlOut *x, const FmuModel *m, Arena *arena)
{
    bool outputs = false, initial = false;
    for (int i = 0; i < m->nvar; i++) {
        outputs |= m->var[i].causality == FMU_OUTPUT;
        initial |= fmu_is_initial_unknown(&m->var[i]);
    }
    xml_begin(x, "ModelStructure");
    if (outputs)
        xml_begin(x, "Outputs");
    for (int i = 0; i < m->nvar; i++)
        if (m->var[i].causality == FMU_OUTPUT)
            write_unknown(x, m, i, arena);
    if (outputs)
        xml_end(x);
    if (m->exchange && m->exchange->nx > 0) {
        xml_begin(x, "Derivatives");
        for (int i = 0; i < m->exchange->nx; i++)
            write_unknown(x, m, m->exchange->slope[i], arena);
        xml_end(x);
    }
    if (initial)
        xml_begin(x, "InitialUnknowns");
    for (int i = 0; i < m->nvar; i++) {
        if (!fmu_is_initial_unknown(&m->var[i]))
            continue;
        xml_begin(x, "Unknown");
        xml_count(x, "index", i + 1);
        xml_end(x);
    }
    if (initial)
        xml_end(x);
    xml_end(x);
}

const char *fmu_description2(const FmuModel *m, Arena *arena)
{
    XmlOut x;
    xml_start(&x);
    xml_begin(&x, "fmiModelDescription");
    xml_text(&x, "fmiVersion", "2.0");
    xml_text(&x, "modelName", m->in->model);
    xml_text(&x, "guid", m->token);
    if (m->in->flat->comment && m->in->flat->comment[0])
        xml_text(&x, "description", m->in->flat->comment);
    xml_text(&x, "generationTool",
             arena_printf(arena, "takt %s", m->in->version));
    xml_text(&x, "variableNamingConvention",
             m->is_structured ? "structured" : "flat");
    xml_count(&x, "numberOfEventIndicators", m->exchange ? m->exchange->nz : 0);
    if (m->exchange)
        write_kind(&x, m, true);
    if (m->has_cosim)
        write_kind(&x, m, false);
    fmu_write_units(&x, m, arena);
    write_types(&x, m, arena);
    fmu_write_categories(&x);
    xml_begin(&x, "DefaultExperiment");
    xml_number(&x, "startTime", m->in->start);
    xml_number(&x, "stopTime", m->in->stop);
    xml_number(&x, "stepSize", m->in->size);
    xml_end(&x);
    xml_begin(&x, "ModelVariables");
    for (int i = 0; i < m->nvar; i++)
        write_variable(&x, m, &m->var[i]);
    xml_end(&x);
    write_structure(&x, m, arena);
    xml_end(&x);
    return xml_finish(&x, arena);
}
