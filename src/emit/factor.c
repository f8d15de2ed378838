/* factor.c - static factorisations by tables: arrays, tables, calls.
 *
 * The loops are those of runtime/takt_rt_factor.h; what is printed here are
 * their constant tables, one for each block, with indices of 16 bits where
 * these suffice.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "emit/emit_internal.h"
#include "num/table.h"

static const TapeSystem *system_of(const Emit *e, const TapeInstr *in)
{
    if (in->op != TAPE_FACTOR && in->op != TAPE_SOLVE)
        return NULL;
    const TapeSystem *s = &e->t->system.at[in->a];
    return s->table ? s : NULL;
}

static int table_number(const Emit *e, const FactorTable *t)
{
    for (int i = 0; i < e->ntable; i++)
        if (e->table[i] == t)
            return i + 1;
    return 0;
}

/* ---- arrays ---- */

static void mark_row(bool *used, int first, int n)
{
    for (int i = first; i < first + n; i++)
        used[i] = true;
}

void emit_factor_mark(Emit *e, bool *used)
{
    for (int i = 0; i < e->t->code.n; i++) {
        const TapeSystem *s = system_of(e, &e->t->code.at[i]);
        if (!s)
            continue;
        mark_row(used, s->factors, s->table->nfactor);
        mark_row(used, s->vector, s->table->nvector);
    }
}

/* Slots of constant factors that only one segment looks at are local to it;
 * those are members whose factors are read by another. */
static void add_array(Emit *e, int *array, int first, int n, const char *letter)
{
    if (array[first])
        return;
    EmitArray *a = &e->arrays[e->narray++];
    a->name = arena_printf(e->local, "takt_%s%d", letter, e->narray);
    a->first = first;
    a->n = n;
    for (int i = first; i < first + n; i++)
        a->is_member |= e->home[i] != HOME_LOCAL;
    for (int i = first; i < first + n; i++) {
        array[i] = e->narray;
        e->nmember[e->home[i]]--;
        e->home[i] = a->is_member ? HOME_FIXED : HOME_LOCAL;
        e->nmember[e->home[i]]++;
        e->ref[i] =
            arena_printf(e->local, "%s%s[%d]", a->is_member ? "m->d." : "",
                         a->name, i - first);
    }
}

void emit_factor_places(Emit *e)
{
    int *array = NEW_ARRAY(e->local, int, e->t->nslot + 1);
    e->arrays = NEW_ARRAY(e->local, EmitArray,
                          2 * e->t->system.n + 2 * e->t->call.n + 1);
    e->array = array;
    e->table = NEW_ARRAY(e->local, const FactorTable *, e->t->system.n + 1);
    for (int i = 0; i < e->t->code.n; i++) {
        const TapeSystem *s = system_of(e, &e->t->code.at[i]);
        int first, nlist = tape_list(e->t, &e->t->code.at[i], &first);
        if (nlist > 0)
            add_array(e, array, first, nlist, "x");
        int nrow = tape_row(e->t, &e->t->code.at[i], &first);
        if (nrow > 0)
            add_array(e, array, first, nrow, "y");
        if (!s)
            continue;
        add_array(e, array, s->factors, s->table->nfactor, "w");
        add_array(e, array, s->vector, s->table->nvector, "v");
        if (!table_number(e, s->table))
            e->table[e->ntable++] = s->table;
    }
}

/* The first slots of the arrays that an instruction reads or writes. */
static int arrays_of(const Emit *e, const TapeInstr *in, int slot[2])
{
    const TapeSystem *s = system_of(e, in);
    if (!s) {
        int n = tape_list(e->t, in, &slot[0]) > 0;
        return n + (tape_row(e->t, in, &slot[n]) > 0);
    }
    slot[0] = s->factors;
    slot[1] = s->vector;
    return in->op == TAPE_SOLVE ? 2 : 1;
}

void emit_factor_arrays(Emit *e, Text *out, const TapeSegment *segment,
                        const char *indent)
{
    bool *done = NEW_ARRAY(e->local, bool, e->narray + 1);
    for (int i = segment->first; i < segment->first + segment->count; i++) {
        int slot[2];
        int n = arrays_of(e, &e->t->code.at[i], slot);
        for (int k = 0; k < n; k++) {
            int number = e->array[slot[k]];
            const EmitArray *a = &e->arrays[number - 1];
            if (done[number] || a->is_member)
                continue;
            done[number] = true;
            text_add(e, out, "%s%s %s[%d];\n", indent, e->real, a->name, a->n);
        }
    }
}

bool emit_factor_member(Emit *e, Text *out, int slot)
{
    const EmitArray *a = &e->arrays[e->array[slot] - 1];
    if (slot == a->first)
        text_add(e, out, "    %s %s[%d]; /* %s */\n", e->real, a->name, a->n,
                 a->name[5] == 'x' ? "list of a function" : "factors");
    return slot == a->first;
}

/* ---- tables ---- */

static int bits_of(const FactorTable *t)
{
    uint32_t most = t->largest;
    return most < 65536 ? 16 : 32;
}

static void add_list(Emit *e, Text *out, const TableList *list, int number,
                     int bits)
{
    text_add(e, out, "static const uint%d_t takt_table%d_%s[%d] = {", bits,
             number, list->name, list->n > 0 ? list->n : 1);
    for (int i = 0; i < list->n || i == 0; i++)
        text_add(e, out, "%s%u,", i % 12 ? " " : "\n    ",
                 list->n > 0 ? (unsigned)list->at[i] : 0);
    text_add(e, out, "\n};\n");
}

static void add_lu(Emit *e, Text *out, const FactorTable *t, int number)
{
    const takt_lu32 *k = &t->lu;
    text_add(e, out,
             "static const takt_lu%d takt_table%d = {\n"
             "    .n = %u, .nstep = %u, .u = %u, .l = %u, .nl = %u,\n"
             "    .zero = %u, .nfill = %u, .nsolve = %u, .nwatch = %u,\n",
             bits_of(t), number, k->n, k->nstep, k->u, k->l, k->nl, k->zero,
             k->nfill, k->nsolve, k->nwatch);
}

static void add_qr(Emit *e, Text *out, const FactorTable *t, int number)
{
    const takt_qr32 *k = &t->qr;
    text_add(
        e, out,
        "static const takt_qr%d takt_table%d = {\n"
        "    .n = %u, .m = %u, .nblock = %u, .r = %u, .cs = %u, .x = %u,\n",
        bits_of(t), number, k->n, k->m, k->nblock, k->r, k->cs, k->x);
}

static bool is_of_rows(const TableList *list)
{
    return !strcmp(list->name, "place") || !strcmp(list->name, "row");
}

static void add_names(Emit *e, Text *out, const FactorTable *t, int number,
                      bool rows)
{
    for (int i = 0; i < t->nlist; i++)
        if (is_of_rows(&t->list[i]) == rows)
            text_add(e, out, "    .%s = takt_table%d_%s,\n", t->list[i].name,
                     number, t->list[i].name);
    text_add(e, out, "};\n");
}

static void add_table(Emit *e, Text *out, const FactorTable *t, int number)
{
    int bits = bits_of(t);
    text_add(e, out, "/* %s factorisation of %d unknowns, %d entries */\n",
             t->is_qr ? "QR" : "LU", t->n, t->nnz);
    for (int i = 0; i < t->nlist; i++)
        add_list(e, out, &t->list[i], number, bits);
    if (t->is_qr)
        add_qr(e, out, t, number);
    else
        add_lu(e, out, t, number);
    add_names(e, out, t, number, false);
    if (t->refine) {
        text_add(e, out,
                 "static const takt_rows%d takt_rows%d = {\n"
                 "    .n = %u, .nnz = %u, .copy = %u,\n",
                 bits, number, t->rows.n, t->rows.nnz, t->rows.copy);
        add_names(e, out, t, number, true);
    }
    text_add(e, out, "\n");
}

bool emit_factor_is_used(const Emit *e)
{
    return e->ntable > 0;
}

void emit_factor_tables(Emit *e, Text *out)
{
    for (int i = 0; i < e->ntable; i++)
        add_table(e, out, e->table[i], i + 1);
}

/* ---- calls ---- */

/* "m->d.takt_w1[0]" -> "m->d.takt_w1" */
static const char *base_of(Emit *e, const char *ref)
{
    return arena_strndup(e->local, ref, strcspn(ref, "["));
}

static void call(Emit *e, Text *out, int depth, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    text_add(e, out, "%*s%s;\n", 4 * depth, "",
             arena_vprintf(e->local, fmt, ap));
    va_end(ap);
}

static void add_factor(Emit *e, Text *out, const TapeSystem *s, int number,
                       const char *w, int depth)
{
    const FactorTable *t = s->table;
    const char *kind = t->is_qr ? "qr" : "lu", *f = e->suffix;
    int bits = bits_of(t);
    if (t->refine)
        call(e, out, depth, "takt_rows_keep%s%d(&takt_rows%d, %s)", f, bits,
             number, w);
    call(e, out, depth, "takt_%s_factor%s%d(&takt_table%d, %s)", kind, f, bits,
         number, w);
    if (t->excess == NONE)
        return;
    const char *growth =
        t->is_qr ? ""
                 : arena_printf(e->local, ", %s", emit_number(e, t->growth));
    call(e, out, depth, "%s[%d] = takt_%s_watch%s%d(&takt_table%d, %s, %s%s)",
         w, t->excess, kind, f, bits, number, w, emit_number(e, t->cancelled),
         growth);
}

static void add_solve(Emit *e, Text *out, const TapeSystem *s, int number,
                      const char *w, const char *v, int depth)
{
    const FactorTable *t = s->table;
    const char *kind = t->is_qr ? "qr" : "lu", *f = e->suffix;
    int bits = bits_of(t);
    if (t->refine)
        call(e, out, depth, "takt_rows_begin%s%d(&takt_rows%d, %s)", f, bits,
             number, v);
    call(e, out, depth, "takt_%s_solve%s%d(&takt_table%d, %s, %s)", kind, f,
         bits, number, w, v);
    if (!t->refine)
        return;
    call(e, out, depth, "takt_rows_residual%s%d(&takt_rows%d, %s, %s)", f, bits,
         number, w, v);
    call(e, out, depth, "takt_%s_solve%s%d(&takt_table%d, %s, %s)", kind, f,
         bits, number, w, v);
    call(e, out, depth, "takt_rows_end%s%d(&takt_rows%d, %s)", f, bits, number,
         v);
}

void emit_factor_call(Emit *e, Text *out, const TapeInstr *in,
                      const char *const *ref, int depth)
{
    const TapeSystem *s = system_of(e, in);
    if (!s)
        return;
    int number = table_number(e, s->table);
    const char *w = base_of(e, ref[s->factors]);
    if (in->op == TAPE_FACTOR)
        add_factor(e, out, s, number, w, depth);
    else
        add_solve(e, out, s, number, w, base_of(e, ref[s->vector]), depth);
}
