/* dag.c - the table of nodes.
 *
 * A node is found by its content in a hash table with open addressing. A slot
 * holds the hash beside the handle: a probe touches a node only when all 32
 * bits of the hash agree.
 *
 *   slot   [hash|id] [hash|id] [   0   ] ...    8 bytes, at most 5/8 full
 *   chunk  [ node node ... 1024 ] [ node ... ]  32 bytes per node, never moved
 *
 * A plain hash table of millions of nodes misses the cache at each look-up. But
 * expressions are made near the place of their arguments: so a node is first
 * looked for in a window of the table at the place of its youngest argument,
 * and only when that is full at random places.
 *
 * Memory of an outgrown table becomes chunks, so the whole is about 50 bytes
 * per node. Numbers are compared by their bits, with one NaN and without -0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>
#include <stddef.h>

#define FIRST_TABLE 1024
#define WINDOW      8 /* slots */
#define MOST_NODES  ((int)0x7ffffff0)

/* What tells a node from others: its first three words, as they stand in
 * memory, and the arguments of a CALL. Made in registers: words put together
 * from halves in memory would stall the processor. */
typedef struct Key {
    uint64_t word[3];
    const Expr *args; /* CALL */
    uint32_t narg;
    uint32_t youngest; /* argument, or number of the variable */
    bool has_place;    /* `youngest` says where to look */
    bool is_kept;      /* `args` are those of another node */
} Key;
_Static_assert(sizeof(ExprNode) == 32 && offsetof(ExprNode, value) == 8,
               "a node is its head, two words of content and a pointer");

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FIRST(bits, x)  ((uint64_t)(x))
#define SECOND(bits, x) ((uint64_t)(x) << (bits))
#else
#define FIRST(bits, x)  ((uint64_t)(x) << (bits))
#define SECOND(bits, x) ((uint64_t)(x))
#endif

/* Two halves as they stand in memory. */
static uint64_t pair(uint32_t first, uint32_t second)
{
    return FIRST(32, first) | SECOND(32, second);
}

static Key key_new(ExprOp op, ExprType type, int narg, int order)
{
    uint64_t kind = FIRST(8, op) | SECOND(8, type);
    uint64_t head = FIRST(16, kind) | SECOND(16, narg);
    return (Key){.word[0] = pair((uint32_t)head, (uint32_t)order),
                 .narg = (uint32_t)narg};
}

static Key key_of(const ExprNode *n)
{
    Key key = {.args = n->op == EX_CALL ? n->args : NULL, .narg = n->narg};
    memcpy(key.word, n, sizeof key.word);
    const Expr *arg = args_of(n);
    key.has_place = n->narg > 0 || n->op == EX_VAR;
    key.youngest = n->op == EX_VAR ? (uint32_t)n->var : 0;
    for (int i = 0; i < n->narg; i++) {
        if ((uint32_t)arg[i] > key.youngest)
            key.youngest = (uint32_t)arg[i];
    }
    return key;
}

static uint32_t hash_of(const Key *key)
{
    uint64_t h = key->word[0] * 0x9e3779b97f4a7c15u +
                 key->word[1] * 0xbf58476d1ce4e5b9u +
                 key->word[2] * 0x94d049bb133111ebu;
    if (key->args) {
        for (uint32_t i = 0; i < key->narg; i++)
            h = (h ^ h >> 32 ^ (uint64_t)key->args[i]) * 0x9e3779b97f4a7c15u;
    }
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return (uint32_t)(h >> 32);
}

static bool is_same(const ExprNode *n, const Key *key)
{
    uint64_t word[3];
    memcpy(word, n, sizeof word);
    if (word[0] != key->word[0] || word[1] != key->word[1] ||
        word[2] != key->word[2])
        return false;
    return !key->args ||
           memcmp(n->args, key->args, key->narg * sizeof(Expr)) == 0;
}

Dag *dag_new(Arena *arena)
{
    Dag *d = NEW(arena, Dag);
    d->arena = arena;
    d->slot = NEW_ARRAY(arena, Slot, FIRST_TABLE);
    d->mask = FIRST_TABLE - 1;
    d->strings = intern_new(arena);
    d->pool = NEW(arena, ScratchPool);
    d->pool->arena = arena;
    return d;
}

/* Where the window of a node begins, before it is cut to the table: every
 * handle has 8 slots, a line of the cache, shared with those that come out at
 * the same place of the table. */
static uint32_t place_of(const Key *key, uint32_t hash)
{
    return key->has_place ? 8 * key->youngest + (hash >> 29) : hash;
}

/* The probe after the k-th: through the window, then in random steps, since
 * full windows form long full stretches. */
static uint32_t next_probe(const Dag *d, uint32_t at, uint32_t hash, int k)
{
    if (k < WINDOW)
        return (at + 1) & d->mask;
    return (k == WINDOW ? hash : at + (hash * 0x9e3779b9u | 1)) & d->mask;
}

static void table_grow(Dag *d)
{
    size_t old_size = (size_t)d->mask + 1;
    Slot *old = d->slot;
    d->slot = NEW_ARRAY(d->arena, Slot, 2 * old_size);
    d->mask = (uint32_t)(2 * old_size - 1);
    for (Expr e = 0; e < d->count; e++) {
        Key key = key_of(node_of(d, e));
        uint32_t hash = hash_of(&key);
        uint32_t at = place_of(&key, hash) & d->mask;
        for (int k = 1; d->slot[at].id; k++)
            at = next_probe(d, at, hash, k);
        d->slot[at] = (Slot){hash, (uint32_t)e + 1};
    }
    if (old_size * sizeof *old > d->spare_size) {
        d->spare = (char *)old;
        d->spare_size = old_size * sizeof *old;
    }
}

static void chunk_add(Dag *d)
{
    const size_t size = CHUNK_SIZE * sizeof(ExprNode);
    if (d->nchunk == d->chunk_cap) {
        int cap = d->chunk_cap ? 2 * d->chunk_cap : 16;
        d->chunk = arena_grow(d->arena, d->chunk,
                              (size_t)d->chunk_cap * sizeof *d->chunk,
                              (size_t)cap * sizeof *d->chunk);
        d->chunk_cap = cap;
    }
    if (d->spare_size >= size) {
        d->chunk[d->nchunk++] = (ExprNode *)(void *)d->spare;
        d->spare += size;
        d->spare_size -= size;
        return;
    }
    d->chunk[d->nchunk++] = arena_alloc(d->arena, size);
}

static Expr node_add(Dag *d, const Key *key)
{
    if (d->count >= MOST_NODES)
        die("out of memory: the model has more than %d expressions",
            MOST_NODES);
    Expr e = d->count++;
    if (e >> CHUNK_BITS == d->nchunk)
        chunk_add(d);
    ExprNode *n = &d->chunk[e >> CHUNK_BITS][e & CHUNK_MASK];
    memcpy(n, key->word, sizeof key->word);
    n->args = NULL;
    if (key->args && key->is_kept) {
        n->args = key->args;
    } else if (key->args) {
        Expr *args = NEW_ARRAY(d->arena, Expr, key->narg);
        memcpy(args, key->args, key->narg * sizeof *args);
        n->args = args;
    }
    return e;
}

/* The handle of the node with the content of `key`; EXPR_NONE: there is none,
 * and its place would be *at. */
static Expr find(const Dag *d, const Key *key, uint32_t hash, uint32_t *at)
{
    *at = place_of(key, hash) & d->mask;
    for (int k = 1; d->slot[*at].id; k++) {
        Slot s = d->slot[*at];
        if (s.hash == hash && is_same(node_of(d, (Expr)(s.id - 1)), key))
            return (Expr)(s.id - 1);
        *at = next_probe(d, *at, hash, k);
    }
    return EXPR_NONE;
}

static Expr find_or_add(Dag *d, const Key *key)
{
    uint32_t hash = hash_of(key), at;
    Expr old = find(d, key, hash, &at);
    if (old != EXPR_NONE)
        return old;
    Expr e = node_add(d, key);
    d->slot[at] = (Slot){hash, (uint32_t)e + 1};
    if ((uint64_t)d->count * 8 > ((uint64_t)d->mask + 1) * 5)
        table_grow(d);
    return e;
}

/* ---- building ---- */
Expr expr_constant(Dag *d, ExprType type, double value)
{
    Key key = key_new(EX_CONST, type, 0, 0);
    value = isnan(value) ? (double)NAN : value == 0 ? 0.0 : value;
    memcpy(&key.word[1], &value, sizeof value);
    return find_or_add(d, &key);
}

Expr expr_inexact(Dag *d, double value, double off)
{
    Key key = key_new(EX_CONST, ET_REAL, 0, 0);
    if (!(off > 0))
        return expr_real(d, value);
    value = value == 0 ? 0.0 : value;
    memcpy(&key.word[1], &value, sizeof value);
    memcpy(&key.word[2], &off, sizeof off);
    return find_or_add(d, &key);
}

double expr_off(const Dag *d, Expr e)
{
    return e != EXPR_NONE && op_of(d, e) == EX_CONST ? node_of(d, e)->off : 0;
}

Expr expr_real(Dag *d, double value)
{
    return expr_constant(d, ET_REAL, value);
}

Expr expr_int(Dag *d, double value)
{
    return expr_constant(d, ET_INTEGER, value);
}

Expr expr_bool(Dag *d, bool value)
{
    return expr_constant(d, ET_BOOLEAN, value ? 1 : 0);
}

Expr expr_string(Dag *d, const char *text)
{
    Key key = key_new(EX_STR, ET_STRING, 0, 0);
    text = intern_str(d->strings, text);
    memcpy(&key.word[1], &text, sizeof text);
    return find_or_add(d, &key);
}

Expr expr_var(Dag *d, int var, int order, ExprType type)
{
    Key key = key_new(EX_VAR, type, 0, order);
    key.word[1] = pair((uint32_t)var, 0);
    key.has_place = true;
    key.youngest = (uint32_t)var;
    return find_or_add(d, &key);
}

Expr expr_formal(Dag *d, int number, ExprType type)
{
    Key key = key_new(EX_ARG, type, 0, number);
    return find_or_add(d, &key);
}

Expr expr_time(Dag *d)
{
    Key key = key_new(EX_TIME, ET_REAL, 0, 0);
    return find_or_add(d, &key);
}

static Key call_key(ExprType type, int fn, int out, const Expr *arg, int narg)
{
    Key key = key_new(EX_CALL, type, narg, out);
    key.word[1] = pair((uint32_t)fn, 0);
    key.args = narg > 0 ? arg : NULL;
    key.has_place = narg > 0;
    for (int i = 0; i < narg; i++) {
        if ((uint32_t)arg[i] > key.youngest)
            key.youngest = (uint32_t)arg[i];
    }
    return key;
}

Expr expr_call(Dag *d, int fn, int out, ExprType type, const Expr *arg,
               int narg)
{
    assert(narg >= 0 && narg <= UINT16_MAX);
    double value, off;
    if (function_fold(d, fn, out, arg, narg, &value, &off))
        return type == ET_REAL ? inexact_result(d, value, off)
                               : expr_constant(d, type, value);
    const ExprFunction *f = dag_function(d, fn);
    if (!f || !f->values) {
        Key alone = call_key(type, fn, out, arg, narg);
        return find_or_add(d, &alone);
    }
    Key first = call_key(ET_REAL, fn, 0, arg, narg);
    Expr e = find_or_add(d, &first);
    if (out == 0)
        return e;
    /* a function of 2,000 arguments may have as many results */
    Key key = call_key(type, fn, out, node_of(d, e)->args, narg);
    key.is_kept = true;
    return find_or_add(d, &key);
}

Expr expr_first_result(const Dag *d, Expr e)
{
    const ExprNode *n = node_of(d, e);
    const ExprFunction *f = dag_function(d, n->fn);
    if (!f || !f->values || n->order == 0)
        return e;
    Key key = call_key(ET_REAL, n->fn, 0, n->args, n->narg);
    uint32_t at;
    return find(d, &key, hash_of(&key), &at);
}

/* Does `e` have the type `t`? (EXPR_NONE has none.) */
static bool has_type(const Dag *d, Expr e, ExprType t)
{
    return e != EXPR_NONE && node_of(d, e)->type == t;
}

/* Real unless both are Integer (or Boolean, string: as they are). */
static ExprType common_type(const Dag *d, Expr a, Expr b)
{
    ExprType ta = (ExprType)node_of(d, a)->type;
    if (b == EXPR_NONE || has_type(d, b, ta))
        return ta;
    return ET_REAL;
}

/* Arithmetic on Booleans, as in the residual of an equation between them. */
static ExprType number_type(ExprType type)
{
    return type == ET_BOOLEAN ? ET_INTEGER : type;
}

ExprType expr_type_of(const Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    switch (op) {
    case EX_INTEGER:
    case EX_TOINT:
    case EX_SIGN: return ET_INTEGER;
    case EX_IF: return common_type(d, b, c);
    case EX_CLOCKED:
    case EX_SMOOTH: return (ExprType)node_of(d, b)->type;
    case EX_PRE:
    case EX_NOEVENT:
    case EX_DELAY: return (ExprType)node_of(d, a)->type;
    case EX_HOMOTOPY: return common_type(d, a, b);
    case EX_CONCAT:
    case EX_TOSTR: return ET_STRING;
    default:
        return op_has(op, OP_LOGICAL) ? ET_BOOLEAN
               : op_has(op, OP_WHOLE) ? number_type(common_type(d, a, b))
                                      : ET_REAL;
    }
}

Expr expr_clocked(Dag *d, ExprClocked kind, Expr a, Expr b)
{
    return expr_make_raw(d, EX_CLOCKED, expr_int(d, kind), a, b);
}

int expr_clocked_kind(const Dag *d, Expr e)
{
    const ExprNode *n = node_of(d, e);
    return n->op == EX_CLOCKED ? (int)node_of(d, n->arg[0])->value : -1;
}

Expr expr_make_raw(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    int narg = expr_op_info[op].narg;
    assert(narg >= 0);
    assert((narg < 1 || (a >= 0 && a < d->count)) &&
           (narg < 2 || (b >= 0 && b < d->count)) &&
           (narg < 3 || (c >= 0 && c < d->count)));
    Key key = key_new(op, expr_type_of(d, op, a, b, c), narg, 0);
    a = narg > 0 ? a : EXPR_NONE;
    b = narg > 1 ? b : EXPR_NONE;
    c = narg > 2 ? c : EXPR_NONE;
    key.word[1] = pair((uint32_t)a, (uint32_t)b);
    key.word[2] = pair((uint32_t)c, 0);
    Expr youngest = a > b ? a : b;
    key.has_place = narg > 0;
    key.youngest = (uint32_t)(youngest > c ? youngest : c);
    return find_or_add(d, &key);
}

/* ---- asking ---- */
Arena *dag_arena(const Dag *d)
{
    return d->arena;
}

int dag_count(const Dag *d)
{
    return d->count;
}

const ExprNode *expr_node(const Dag *d, Expr e)
{
    assert(e >= 0 && e < d->count);
    return node_of(d, e);
}

Expr expr_arg(const Dag *d, Expr e, int i)
{
    const ExprNode *n = expr_node(d, e);
    assert(i >= 0 && i < n->narg);
    return args_of(n)[i];
}

ExprOp expr_op(const Dag *d, Expr e)
{
    return (ExprOp)expr_node(d, e)->op;
}

ExprType expr_type(const Dag *d, Expr e)
{
    return (ExprType)expr_node(d, e)->type;
}

bool expr_is_const(const Dag *d, Expr e, double *value)
{
    if (e == EXPR_NONE || op_of(d, e) != EX_CONST)
        return false;
    if (value)
        *value = node_of(d, e)->value;
    return true;
}

bool expr_is_zero(const Dag *d, Expr e)
{
    double v;
    return expr_is_const(d, e, &v) && v == 0 && expr_off(d, e) == 0;
}

bool expr_is_one(const Dag *d, Expr e)
{
    double v;
    return expr_is_const(d, e, &v) && v == 1;
}

bool expr_is_var(const Dag *d, Expr e, int *var, int *order)
{
    if (e == EXPR_NONE || op_of(d, e) != EX_VAR)
        return false;
    if (var)
        *var = node_of(d, e)->var;
    if (order)
        *order = node_of(d, e)->order;
    return true;
}
