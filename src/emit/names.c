/* names.c - tables of names and texts, and the access by them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <string.h>

#include "base/ctext.h"
#include "emit/emit_internal.h"

const char *emit_upper(Emit *e, const char *text)
{
    char *out = arena_strdup(e->local, text);
    for (char *s = out; *s; s++)
        *s = (char)toupper((unsigned char)*s);
    return out;
}

int emit_nblock(const Emit *e)
{
    return e->t->block.n;
}

bool emit_is_constant(const Emit *e, int symbol)
{
    return e->output[symbol] &&
           (Home)e->home[e->t->symbol.at[symbol].slot] == HOME_CONST;
}

/* Of what never changes in a step, outputs of the model are asked for. */
bool emit_in_table(const Emit *e, int symbol)
{
    const TapeSymbol *s = &e->t->symbol.at[symbol];
    Home home = (Home)e->home[s->slot];
    return s->name[0] != '$' &&
           (home == HOME_PARAM || home == HOME_INPUT || home == HOME_STATE ||
            (e->output[symbol] && home == HOME_FIXED) ||
            emit_is_constant(e, symbol));
}

/* As the header numbers them. */
static int kind_number(const EmitRow *r)
{
    return r->kind == FT_INTEGER   ? 1
           : r->kind == FT_BOOLEAN ? 2
           : r->kind == FT_ENUM    ? 3
                                   : 0;
}

static void add_row(Emit *e, Text *out, const EmitRow *r)
{
    static const char *const domain[] = {"TAKT_ANY", "TAKT_INTEGER",
                                         "TAKT_BOOLEAN", "TAKT_POSITIVE"};
    text_add(e, out, "    {%s, %s, %d, %d, offsetof(%s, %s), %s, %s, %s},\n",
             c_string(r->name, e->local), c_string(r->unit, e->local),
             kind_number(r), (int)r->use, e->o->name, e->ref[r->slot] + 3,
             emit_number(e, r->sign), emit_number(e, r->offset),
             domain[r->domain]);
}

static void add_memory(Emit *e, Text *out)
{
    const char *n = e->o->name;
    text_add(e, out,
             "const %s_variable *%s_variables(void)\n{\n"
             "    return variable;\n}\n\n"
             "size_t %s_size(void)\n{\n    return sizeof(%s);\n}\n\n"
             "%s *%s_new(void *memory)\n{\n    %s *m = (%s *)memory;\n"
             "    memset(m, 0, sizeof *m);\n    %s_init(m);\n"
             "    return m;\n}\n\n",
             n, n, n, n, n, n, n, n, n);
}

static bool has_constants(const Emit *e)
{
    bool any = false;
    for (int i = 0; i < e->row.n; i++)
        any |= !(e->row.at[i].sign != 0);
    return any;
}

/* Access by number: what is not in the domain of a quantity is refused. */
static void add_access(Emit *e, Text *out)
{
    const char *n = e->o->name;
    text_add(e, out,
             "%s %s_get(const %s *m, int number)\n{\n    %s x;\n"
             "    if (!is_row(number))\n        return 0;\n"
             "    memcpy(&x, (const unsigned char *)m + "
             "variable[number].place, sizeof x);\n"
             "    return variable[number].sign * x + "
             "variable[number].offset;\n}\n\n",
             e->real, n, n, e->real);
    text_add(e, out,
             "int %s_set(%s *m, int number, %s value)\n{\n"
             "    if (!is_row(number) || !takt_is_in(variable[number].domain, "
             "(double)value)%s)\n        return -1;\n"
             "    const %s x = (value - variable[number].offset) * "
             "variable[number].sign;\n"
             "    memcpy((unsigned char *)m + variable[number].place, &x, "
             "sizeof x);\n    return 0;\n}\n\n",
             n, n, e->real,
             has_constants(e) ? " ||\n        !(variable[number].sign != 0)"
                              : "",
             e->real);
}

static void add_table(Emit *e, Text *out)
{
    const char *n = e->o->name, *u = emit_upper(e, n);
    text_add(e, out, "static const %s_variable variable[%s_NVAR] = {\n", n, u);
    for (int i = 0; i < e->row.n; i++)
        add_row(e, out, &e->row.at[i]);
    text_add(e, out, "};\n\n");
    text_add(e, out,
             "static int is_row(int number)\n{\n"
             "    return number >= 0 && number < %s_NVAR;\n}\n\n"
             "const char *%s_name(int number)\n{\n"
             "    return is_row(number) ? variable[number].name : \"\";\n}\n\n"
             "int %s_find(const char *name)\n{\n"
             "    for (int i = 0; i < %s_NVAR; i++)\n"
             "        if (strcmp(variable[i].name, name) == 0)\n"
             "            return i;\n    return -1;\n}\n\n",
             u, n, n, u);
    add_access(e, out);
    add_memory(e, out);
}

/* A function that gives one of n texts, numbered from 1. */
static void add_texts(Emit *e, Text *out, const char *what, const char *arg,
                      const char *const *text, int n)
{
    if (n == 0) {
        text_add(e, out,
                 "const char *%s_%s(int %s)\n{\n    (void)%s;\n"
                 "    return \"\";\n}\n\n",
                 e->o->name, what, arg, arg);
        return;
    }
    text_add(e, out,
             "const char *%s_%s(int %s)\n{\n"
             "    static const char *const text[] = {\n        \"\",\n",
             e->o->name, what, arg);
    for (int i = 0; i < n; i++)
        text_add(e, out, "        %s,\n", c_string(text[i], e->local));
    text_add(e, out,
             "    };\n    return %s < 1 || %s > %d ? \"\" : text[%s];\n}\n\n",
             arg, arg, n, arg);
}

static const char *message_text(Emit *e, Expr message)
{
    const Inlined *d = e->f->low->inlined;
    if (message == EXPR_NONE)
        return "";
    if (expr_op(d->dag, message) == EX_STR)
        return expr_node(d->dag, message)->text;
    return expr_text(d->dag, message, sys_var_name, (void *)d->sys, 300,
                     e->local);
}

/* Who has not come to rest: relations, discrete variables, and modes. */
static int unsettled_texts(Emit *e, const char **text)
{
    const Lowered *low = e->f->low;
    const Inlined *d = low->inlined;
    int n = 0;
    for (int i = 0; i < d->nrelation; i++)
        text[n++] = expr_text(d->dag, d->relation[i].now, inlined_var_name,
                              (void *)d, 200, e->local);
    for (int i = 0; i < d->nvar; i++)
        if (fused_is_discrete(low, i))
            text[n++] = inlined_known_as(d, i, e->local);
    text[n++] = "modes that do not agree";
    return n;
}

static void add_messages(Emit *e, Text *out)
{
    const Sys *sys = e->f->low->inlined->sys;
    int n = fused_first_unsettled(e->f->low) - 1;
    const char **text =
        NEW_ARRAY(e->local, const char *, fused_nmessage(e->f->low) + 1);
    for (int i = 0; i < sys->nassertion; i++)
        text[i] = message_text(e, sys->assertion[i].message);
    for (int i = 0; i < sys->naction; i++)
        text[sys->nassertion + i] =
            sys->action[i].kind == FA_REINIT
                ? ""
                : message_text(e, sys->action[i].message);
    if (e->f->unsettled != NONE)
        n += unsettled_texts(e, text + n);
    bool any = e->f->unsettled != NONE || e->f->asserted != NONE ||
               e->f->warned != NONE || e->f->terminated != NONE;
    add_texts(e, out, "message", "message", text, any ? n : 0);
}

static bool is_state(const Dae *d, const char *name)
{
    for (int i = 0; d && i < d->nstate; i++)
        if (d->state[i].order == 0 &&
            !strcmp(d->sys->var[d->state[i].var].name, name))
            return true;
    return false;
}

/* Who has left all bounds is the state that was largest before. Returns whether
 * there are any. */
static bool add_largest(Emit *e, Text *out)
{
    const Tape *t = e->t;
    const char *n = e->o->name, *list = "";
    int row = 2, count = 0;
    for (int i = 0; i < t->symbol.n; i++) {
        if (!emit_in_table(e, i))
            continue;
        if (is_state(e->f->low->inlined->dae, t->symbol.at[i].name)) {
            list = arena_printf(e->local, "%s%s%d", list,
                                count == 0        ? "        "
                                : count % 12 == 0 ? ",\n        "
                                                  : ", ",
                                row);
            count++;
        }
        row++;
    }
    if (count == 0)
        return false;
    text_add(e, out,
             "static const char *largest_state(const %s *m)\n{\n"
             "    static const int row[] = {\n%s};\n    int best = 0;\n"
             "    for (int i = 1; i < %d; i++)\n"
             "        if (takt_abs%s(%s_get(m, row[i])) > "
             "takt_abs%s(%s_get(m, row[best])))\n"
             "            best = i;\n    return %s_name(row[best]);\n}\n\n",
             n, list, count, e->suffix, n, e->suffix, n, n);
    return true;
}

static void add_where(Emit *e, Text *out)
{
    const char *n = e->o->name, *u = emit_upper(e, n);
    bool has_states = add_largest(e, out);
    text_add(
        e, out,
        "const char *%s_where(const %s *m)\n{\n"
        "    if (m->message > 0)\n        return %s_message(m->message);\n",
        n, n, n);
    if (has_states)
        text_add(e, out,
                 "    if (m->variable > %s_NVAR)\n"
                 "        return largest_state(m);\n",
                 u);
    text_add(e, out,
             "    return m->variable > 0 ? %s_name(m->variable - 1)\n"
             "                           : %s_block_name(m->block);\n}\n",
             n, n);
}

void emit_names(Emit *e, Text *out)
{
    add_table(e, out);
    const char **block = NEW_ARRAY(e->local, const char *, emit_nblock(e) + 1);
    for (int i = 0; i < emit_nblock(e); i++)
        block[i] = e->t->block.at[i].name;
    add_texts(e, out, "block_name", "block", block, emit_nblock(e));
    add_messages(e, out);
    emit_status_functions(e, out);
    add_where(e, out);
}
