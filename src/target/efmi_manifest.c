/* efmi_manifest.c - the manifests of an eFMU (eFMI 1.0.0, chapters 2 to 4;
 * schemas: container 0.10.0, algorithm code 0.13.0, production code 0.17.0). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/sha1.h"
#include "base/vec.h"
#include "base/xml.h"
#include "target/efmi.h"

/* The same model gives the same bytes: no day but the first of zip's. */
static const char DAY[] = "1980-01-01T00:00:00Z";

static const char *digest_of(const void *data, size_t n, Arena *arena)
{
    char text[SHA1_TEXT];
    return arena_strdup(arena, sha1_text(data, n, text));
}

/* A name that only this text has, in the form of a UUID. */
static const char *id_of(const char *what, const char *text, Arena *arena)
{
    const char *all = arena_printf(arena, "%s %s", what, text);
    const char *d = digest_of(all, strlen(all), arena);
    return arena_printf(arena, "{%.8s-%.4s-%.4s-%.4s-%.12s}", d, d + 8, d + 12,
                        d + 16, d + 20);
}

static void write_head(XmlOut *x, const Efmi *e, const char *element,
                       const char *kind, const char *xsd, const char *id,
                       const char *schema, Arena *arena)
{
    const TargetInput *in = e->galec->in;
    xml_begin(x, element);
    xml_text(x, "xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance");
    xml_text(x, "xsi:noNamespaceSchemaLocation", schema);
    xml_text(x, "efmiVersion", "1.0.0");
    xml_text(x, "xsdVersion", xsd);
    xml_text(x, "id", id);
    if (kind)
        xml_text(x, "kind", kind);
    xml_text(x, "name", in->model);
    if (in->flat->comment && in->flat->comment[0])
        xml_text(x, "description", in->flat->comment);
    xml_text(x, "generationDateAndTime", DAY);
    xml_text(x, "generationTool", arena_printf(arena, "takt %s", in->version));
}

static void write_file(XmlOut *x, const TargetFile *f, Arena *arena)
{
    xml_begin(x, "File");
    xml_text(x, "id", f->name);
    xml_text(x, "name", f->name);
    xml_text(x, "path", "./");
    xml_bool(x, "needsChecksum", true);
    xml_text(x, "checksum", digest_of(f->data, f->size, arena));
    xml_text(x, "role", "Code");
    xml_end(x);
}

static void finish(EfmiManifest *m, XmlOut *x, Arena *arena)
{
    m->text = xml_finish(x, arena);
    m->digest = digest_of(m->text, strlen(m->text), arena);
}

/* ---- algorithm code ---- */

static void write_methods(XmlOut *x)
{
    static const struct {
        const char *id, *kind;
        bool signals;
    } method[] = {{"Startup()", "Startup", false},
                  {"Recalibrate()", "Recalibrate", false},
                  {"DoStep()", "DoStep", true}};
    static const char *const word[] = {"NAN", "NO_SOLUTION_FOUND"};
    xml_begin(x, "BlockMethods");
    xml_text(x, "fileRefId", "block.alg");
    for (int i = 0; i < 3; i++) {
        xml_begin(x, "BlockMethod");
        xml_text(x, "id", method[i].id);
        xml_text(x, "kind", method[i].kind);
        if (method[i].signals)
            xml_begin(x, "Signals");
        for (int k = 0; method[i].signals && k < 2; k++) {
            xml_begin(x, "Signal");
            xml_text(x, "value", word[k]);
            xml_end(x);
        }
        if (method[i].signals)
            xml_end(x);
        xml_end(x);
    }
    xml_end(x);
    xml_begin(x, "ErrorSignalStatus");
    xml_text(x, "id", "signals");
    xml_end(x);
}

/* Number of the first variable with the same unit. */
static int unit_of(const Galec *g, int i)
{
    int k = 0;
    while (strcmp(g->var[k].unit, g->var[i].unit) != 0)
        k++;
    return k;
}

static void write_units(XmlOut *x, const Galec *g, Arena *arena)
{
    xml_begin(x, "Units"); /* that of the step size at least */
    for (int i = 0; i < g->nvar; i++) {
        if (!g->var[i].unit[0] || unit_of(g, i) != i)
            continue;
        xml_begin(x, "Unit");
        xml_text(x, "id", arena_printf(arena, "unit:%d", i));
        xml_text(x, "name", g->var[i].unit);
        xml_end(x);
    }
    xml_end(x);
}

static void write_bounds(XmlOut *x, const GalecVar *v)
{
    bool whole = v->type == FT_INTEGER;
    if (v->type == FT_BOOLEAN || v->type == FT_ENUM || v->start < v->min ||
        v->start > v->max)
        return;
    const double bound[2] = {v->min, v->max};
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "max" : "min";
        if (whole && fabs(bound[k]) <= 2147483647.0)
            xml_count(x, name, (int64_t)bound[k]);
        else if (!whole && isfinite(bound[k]))
            xml_number(x, name, bound[k]);
    }
}

static void write_variable(XmlOut *x, const Galec *g, int i, Arena *arena)
{
    static const char *const causality[] = {
        "input",    "output", "tunableParameter", "dependentParameter",
        "constant", "state"};
    const GalecVar *v = &g->var[i];
    xml_begin(x, v->type == FT_REAL      ? "RealVariable"
                 : v->type == FT_BOOLEAN ? "BooleanVariable"
                                         : "IntegerVariable");
    xml_text(x, "id", v->name);
    xml_text(x, "name", v->name);
    if (v->description[0])
        xml_text(x, "description", v->description);
    xml_text(x, "blockCausality", causality[v->causality]);
    if (v->type == FT_REAL && v->unit[0])
        xml_text(x, "unitRefId", arena_printf(arena, "unit:%d", unit_of(g, i)));
    write_bounds(x, v);
    if (v->type == FT_REAL)
        xml_number(x, "start", v->start);
    else if (v->type == FT_BOOLEAN)
        xml_bool(x, "start", v->start != 0);
    else
        xml_count(x, "start", (int64_t)v->start);
    xml_end(x);
}

void efmi_describe_algorithm(Efmi *e, Arena *arena)
{
    const Galec *g = e->galec;
    TargetFile block = target_text("block.alg", g->text);
    XmlOut x;
    e->algorithm.id = id_of("algorithm", g->text, arena);
    xml_start(&x);
    write_head(&x, e, "Manifest", "AlgorithmCode", "0.13.0", e->algorithm.id,
               "../schemas/AlgorithmCode/efmiAlgorithmCodeManifest.xsd", arena);
    xml_begin(&x, "Files");
    write_file(&x, &block, arena);
    xml_end(&x);
    xml_begin(&x, "Clock");
    xml_text(&x, "id", "clock");
    xml_text(&x, "variableRefId", g->step);
    xml_end(&x);
    write_methods(&x);
    write_units(&x, g, arena);
    xml_begin(&x, "Variables");
    for (int i = 0; i < g->nvar; i++)
        write_variable(&x, g, i, arena);
    xml_end(&x);
    xml_end(&x);
    finish(&e->algorithm, &x, arena);
}

/* ---- production code ---- */

static bool is_float(const Efmi *e)
{
    return e->galec->in->step->plan->scalar == PS_FLOAT;
}

static void write_types(XmlOut *x, const Efmi *e)
{
    const struct {
        const char *id, *kind, *type;
    } row[] = {{"target:real", is_float(e) ? "efmiFloat32" : "efmiFloat64",
                is_float(e) ? "float" : "double"},
               {"target:integer", "efmiInteger32", "int"},
               {"target:signals", "efmiUnsignedInteger32", "unsigned"},
               {"target:boolean", "efmiBool", "bool"},
               {"target:void", "efmiVoid", "void"}};
    xml_begin(x, "TargetTypes");
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        xml_begin(x, "TargetType");
        xml_text(x, "id", row[i].id);
        xml_text(x, "kind", row[i].kind);
        xml_text(x, "codedType", row[i].type);
        xml_end(x);
    }
    xml_end(x);
}

static void write_component(XmlOut *x, const char *name, const char *type,
                            Arena *arena)
{
    xml_begin(x, "Component");
    xml_text(x, "id", arena_printf(arena, "member:%s", name));
    xml_text(x, "name", name);
    xml_text(x, "typeDefRefId", type);
    xml_end(x);
}

/* Of NAME_block.h: the struct, its members, the functions. */
static void write_block(XmlOut *x, const Efmi *e, Arena *arena)
{
    const Galec *g = e->galec;
    static const char *const method[] = {"Startup", "Recalibrate", "DoStep"};
    xml_begin(x, "Typedefs");
    xml_begin(x, "Typedef");
    xml_text(x, "id", "type:block");
    xml_text(x, "name", arena_printf(arena, "%s_block", g->in->name));
    xml_begin(x, "Components");
    write_component(x, "signals", "target:signals", arena);
    for (int i = 0; i < g->nvar; i++)
        if (e->member[i])
            write_component(x, e->member[i],
                            g->var[i].type == FT_REAL      ? "target:real"
                            : g->var[i].type == FT_BOOLEAN ? "target:boolean"
                                                           : "target:integer",
                            arena);
    xml_end(x);
    xml_end(x);
    xml_end(x);
    xml_begin(x, "Functions");
    for (int i = 0; i < 3; i++) {
        xml_begin(x, "Function");
        xml_text(x, "id", arena_printf(arena, "function:%s", method[i]));
        xml_text(x, "name",
                 arena_printf(arena, "%s_%s", g->in->name, method[i]));
        xml_begin(x, "ReturnParameter");
        xml_text(x, "id", arena_printf(arena, "result:%s", method[i]));
        xml_text(x, "typeDefRefId", "target:void");
        xml_end(x);
        xml_begin(x, "FormalParameters");
        xml_begin(x, "FormalParameter");
        xml_text(x, "name", "block");
        xml_count(x, "number", 1);
        xml_text(x, "id", arena_printf(arena, "block:%s", method[i]));
        xml_text(x, "typeDefRefId", "type:block");
        xml_bool(x, "pointer", true);
        xml_end(x);
        xml_end(x);
        xml_end(x);
    }
    xml_end(x);
}

static void write_code_file(XmlOut *x, const Efmi *e, const TargetFile *f,
                            Arena *arena)
{
    const char *n = e->galec->in->name, *includes = NULL;
    size_t length = strlen(f->name);
    const char *header = arena_printf(arena, "%s_block.h", n);
    bool is_block = !strcmp(f->name, header);
    if (is_block || !strcmp(f->name, arena_printf(arena, "%s.c", n)))
        includes = arena_printf(arena, "code:%s.h", n);
    else if (!strcmp(f->name, arena_printf(arena, "%s_block.c", n)))
        includes = arena_printf(arena, "code:%s", header);
    xml_begin(x, "CodeFile");
    xml_text(x, "id", arena_printf(arena, "code:%s", f->name));
    xml_text(x, "fileType", "ProductionCode");
    xml_text(x, "codeType",
             f->name[length - 1] == 'h' ? "HeaderFile" : "SourceFile");
    xml_begin(x, "FileReference");
    xml_text(x, "fileRefId", f->name);
    xml_end(x);
    if (includes) {
        xml_begin(x, "Includes");
        xml_begin(x, "Include");
        xml_text(x, "codeFileRefId", includes);
        xml_end(x);
        xml_end(x);
    }
    if (is_block)
        write_block(x, e, arena);
    xml_end(x);
}

static void write_reference(XmlOut *x, const char *foreign, const char *member)
{
    xml_begin(x, "DataReference");
    xml_begin(x, "ForeignVariableReference");
    xml_text(x, "manifestReferenceRefId", "algorithm");
    xml_text(x, "foreignRefId", foreign);
    xml_end(x);
    xml_begin(x, "FormalParameter");
    xml_text(x, "formalParameterRefId", "block:DoStep");
    xml_text(x, "componentIdentifier", member);
    xml_end(x);
    xml_end(x);
}

/* What of the block stands where in the C. */
static void write_logical(XmlOut *x, const Efmi *e, Arena *arena)
{
    static const char *const method[] = {"Startup", "Recalibrate", "DoStep"};
    xml_begin(x, "LogicalData");
    xml_begin(x, "DataReferences");
    write_reference(x, "signals", "signals");
    for (int i = 0; i < e->galec->nvar; i++)
        if (e->member[i])
            write_reference(x, e->galec->var[i].name, e->member[i]);
    xml_end(x);
    xml_begin(x, "FunctionReferences");
    for (int i = 0; i < 3; i++) {
        xml_begin(x, "FunctionReference");
        xml_begin(x, "ForeignFunctionReference");
        xml_text(x, "manifestReferenceRefId", "algorithm");
        xml_text(x, "foreignRefId", arena_printf(arena, "%s()", method[i]));
        xml_end(x);
        xml_begin(x, "GlobalFunction");
        xml_text(x, "functionRefId",
                 arena_printf(arena, "function:%s", method[i]));
        xml_end(x);
        xml_end(x);
    }
    xml_end(x);
    xml_end(x);
}

void efmi_describe_production(Efmi *e, Arena *arena)
{
    XmlOut x;
    e->production.id = id_of("production", e->galec->in->out->code, arena);
    xml_start(&x);
    write_head(&x, e, "Manifest", "ProductionCode", "0.17.0", e->production.id,
               "../schemas/ProductionCode/efmiProductionCodeManifest.xsd",
               arena);
    xml_begin(&x, "ManifestReferences");
    xml_begin(&x, "ManifestReference");
    xml_text(&x, "id", "algorithm");
    xml_text(&x, "manifestRefId", e->algorithm.id);
    xml_text(&x, "checksum", e->algorithm.digest);
    xml_bool(&x, "origin", true);
    xml_end(&x);
    xml_end(&x);
    xml_begin(&x, "Files");
    for (int i = 0; i < e->ncode; i++)
        write_file(&x, &e->code[i], arena);
    xml_end(&x);
    xml_begin(&x, "CodeContainer");
    xml_text(&x, "language", "C");
    xml_text(&x, "standard", "C99");
    xml_text(&x, "platform", "Legacy");
    xml_text(&x, "floatPrecision", is_float(e) ? "32-bit" : "64-bit");
    xml_begin(&x, "Target"); /* empty: Generic */
    xml_end(&x);
    write_types(&x, e);
    xml_begin(&x, "CodeFiles");
    for (int i = 0; i < e->ncode; i++)
        write_code_file(&x, e, &e->code[i], arena);
    xml_end(&x);
    write_logical(&x, e, arena);
    xml_end(&x);
    xml_end(&x);
    finish(&e->production, &x, arena);
}

/* ---- the container ---- */

static void write_representation(XmlOut *x, const char *kind,
                                 const EfmiManifest *m)
{
    xml_begin(x, "ModelRepresentation");
    xml_text(x, "name", kind);
    xml_text(x, "kind", kind);
    xml_text(x, "manifest", "manifest.xml");
    xml_text(x, "checksum", m->digest);
    xml_text(x, "manifestRefId", m->id);
    xml_end(x);
}

const char *efmi_content(const Efmi *e, Arena *arena)
{
    XmlOut x;
    xml_start(&x);
    write_head(&x, e, "Content", NULL, "0.10.0",
               id_of("content", e->production.text, arena),
               "./schemas/efmiContainerManifest.xsd", arena);
    write_representation(&x, "AlgorithmCode", &e->algorithm);
    write_representation(&x, "ProductionCode", &e->production);
    xml_end(&x);
    return xml_finish(&x, arena);
}
