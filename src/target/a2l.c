/* a2l.c - ASAP2 1.6: one MEASUREMENT or CHARACTERISTIC for each quantity. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "target/a2l.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/number.h"

/* An identifier of ASAP2 is letters, digits, '_', '.', and [whole numbers]. */
static void put_identifier(const char *name, int number, FILE *out)
{
    bool is_plain = isalpha((unsigned char)*name) || *name == '_';
    for (const char *s = name; *s && is_plain; s++)
        is_plain = isalnum((unsigned char)*s) || strchr("_.[]", *s);
    if (is_plain) {
        fputs(name, out);
        return;
    }
    fprintf(out, "v%d_", number); /* others differ by their number */
    for (const char *s = name; *s; s++)
        fputc(isalnum((unsigned char)*s) ? *s : '_', out);
}

static void put_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc((unsigned char)*text < 32 ? ' ' : *text, out);
    }
    fputc('"', out);
}

static const char *limit(const Flat *f, const EmitRow *r, bool is_max,
                         char *text)
{
    int v = flat_find(f, r->name);
    Expr e = v == NONE ? EXPR_NONE : is_max ? f->var[v].max : f->var[v].min;
    double x;
    if (e == EXPR_NONE || !expr_is_const(f->dag, e, &x) || !(x - x == 0))
        x = is_max ? 1.7e308 : -1.7e308;
    return number_text(x, text);
}

/* Quantity i of the model, which is quantity `number` of all. */
static void put_row(const A2lModel *m, int i, int number, Arena *arena,
                    FILE *out)
{
    const EmitRow *r = &m->out->row[i];
    const char *name = arena_printf(arena, "%s%s", m->prefix, r->name);
    unsigned address = 8u * (unsigned)number;
    char low[32], high[32];
    limit(m->flat, r, false, low);
    limit(m->flat, r, true, high);
    bool is_parameter = r->use == EU_PARAMETER;
    const char *kind = is_parameter ? "CHARACTERISTIC" : "MEASUREMENT";
    fprintf(out, "    /begin %s ", kind);
    put_identifier(name, number, out);
    fputc(' ', out);
    put_text(name, out);
    if (is_parameter)
        fprintf(out, "\n      VALUE 0x%X Double 0 NO_COMPU_METHOD %s %s\n",
                address, low, high);
    else
        fprintf(out,
                "\n      FLOAT64_IEEE NO_COMPU_METHOD 0 0 %s %s\n"
                "      ECU_ADDRESS 0x%X\n",
                low, high, address);
    if (*r->unit) {
        fputs("      PHYS_UNIT ", out);
        put_text(r->unit, out);
        fputc('\n', out);
    }
    fprintf(out, "    /end %s\n", kind);
}

static uint64_t add_text(uint64_t h, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return h;
}

/* As run/xcp.c makes it: a master with another description sees it. */
static uint64_t epk_of(const A2lModel *m, int n)
{
    uint64_t h = 14695981039346656037u;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < m[k].out->nvar; i++) {
            const char *name = m[k].out->row[i].name;
            h = add_text(h, m[k].prefix, strlen(m[k].prefix));
            h = add_text(h, name, strlen(name) + 1);
        }
    return h;
}

static void put_head(const char *name, const char *version, uint64_t epk,
                     const char *model, FILE *out)
{
    fputs("ASAP2_VERSION 1 60\n/begin PROJECT ", out);
    fputs(name, out);
    fputc(' ', out);
    put_text(model, out);
    fprintf(out,
            "\n  /begin MODULE %s \"takt %s\"\n    /begin MOD_PAR \"\"\n"
            "      ADDR_EPK 0xFFFF0000\n      EPK \"%016llx\"\n"
            "    /end MOD_PAR\n    /begin MOD_COMMON \"\"\n"
            "      BYTE_ORDER MSB_LAST\n      ALIGNMENT_FLOAT64_IEEE 8\n"
            "    /end MOD_COMMON\n",
            name, version, (unsigned long long)epk);
    fputs(
        "    /begin IF_DATA XCP\n"
        "      /begin PROTOCOL_LAYER\n        0x0100 1000 1000 0 0 0 0 0 248 "
        "1024 BYTE_ORDER_MSB_LAST ADDRESS_GRANULARITY_BYTE\n"
        "      /end PROTOCOL_LAYER\n      /begin DAQ\n        DYNAMIC 1 1 0 "
        "OPTIMISATION_TYPE_DEFAULT ADDRESS_EXTENSION_FREE "
        "IDENTIFICATION_FIELD_TYPE_ABSOLUTE GRANULARITY_ODT_ENTRY_SIZE_DAQ_"
        "BYTE 0x08 NO_OVERLOAD_INDICATION\n        /begin TIMESTAMP_SUPPORTED "
        "0x01 SIZE_DWORD UNIT_1US /end TIMESTAMP_SUPPORTED\n"
        "        /begin EVENT \"step\" \"step\" 0 DAQ 0x01 0 0 0 /end EVENT\n"
        "      /end DAQ\n      /begin XCP_ON_UDP_IP 0x0100 5555 ADDRESS "
        "\"127.0.0.1\" /end XCP_ON_UDP_IP\n    /end IF_DATA\n"
        "    /begin RECORD_LAYOUT Double\n      FNC_VALUES 1 FLOAT64_IEEE "
        "ROW_DIR DIRECT\n    /end RECORD_LAYOUT\n",
        out);
}

const char *target_a2l(const char *name, const char *version,
                       const A2lModel *model, int n, Arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int number = 0;
    if (!out)
        die("no memory");
    put_head(name, version, epk_of(model, n), model->flat->model, out);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < model[k].out->nvar; i++)
            put_row(&model[k], i, number++, arena, out);
    fputs("  /end MODULE\n/end PROJECT\n", out);
    fclose(out);
    const char *kept = arena_strndup(arena, text, size);
    free(text);
    return kept;
}
