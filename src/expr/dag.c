/* dag.c - the table of nodes.
 *
 * A node is found by its content in a hash table with open addressing and
 * linear probing. A slot holds the hash beside the handle: a probe touches a
 * node only when all 32 bits of the hash agree, and the table grows without
 * touching nodes at all.
 *
 *   slot   [hash|id] [hash|id] [   0   ] ...    8 bytes, at most 5/8 full
 *   chunk  [ node node ... 1024 ] [ node ... ]  32 bytes a node, never moved
 *
 * Memory of an outgrown table becomes chunks, so the whole is about 50 bytes a
 * node. Numbers are compared by their bits, with one NaN and without -0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>

enum {
    C = OP_COMMUTATIVE,
    F = OP_CALL,
    I = OP_INFIX,
    X = OP_SPECIAL,
    E = OP_EVENT
};

const OpInfo expr_op_info[EX_NOP] = {
#define OP(name, text, narg, properties) {#name, text, narg, properties},
#include "expr/ops.def"
#undef OP
};

#define FIRST_TABLE 1024
#define MOST_NODES  ((int)0x7ffffff0)

/* Words of a node that tell it from others, besides the arguments of a CALL. */
typedef struct Content {
    uint64_t word[3];
} Content;
_Static_assert(sizeof(ExprNode) == 32, "a node is 32 bytes");

static Content content_of(const ExprNode *n)
{
    Content c;
    memcpy(&c, n, sizeof c);
    return c;
}

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 32);
}

static uint32_t hash_of(const ExprNode *n, Content c)
{
    uint64_t h = mix(mix(mix(0, c.word[0]), c.word[1]), c.word[2]);
    if (n->op == EX_CALL) {
        for (int i = 0; i < n->narg; i++)
            h = mix(h, (uint64_t)n->args[i]);
    }
    return (uint32_t)(h ^ (h >> 29));
}

static bool is_same(const ExprNode *a, const ExprNode *key, Content c)
{
    Content other = content_of(a);
    if (other.word[0] != c.word[0] || other.word[1] != c.word[1] ||
        other.word[2] != c.word[2])
        return false;
    return key->op != EX_CALL ||
           memcmp(a->args, key->args, key->narg * sizeof(Expr)) == 0;
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

void dag_set_calls(Dag *d, const ExprCalls *calls)
{
    d->calls = *calls;
}

static void table_grow(Dag *d)
{
    size_t old_size = (size_t)d->mask + 1;
    Slot *old = d->slot;
    uint32_t mask = (uint32_t)(2 * old_size - 1);
    Slot *slot = NEW_ARRAY(d->arena, Slot, 2 * old_size);
    for (size_t k = 0; k < old_size; k++) {
        if (!old[k].id)
            continue;
        uint32_t at = old[k].hash & mask;
        while (slot[at].id)
            at = (at + 1) & mask;
        slot[at] = old[k];
    }
    d->slot = slot;
    d->mask = mask;
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

/* The handle of a node with the content of `key`, whose bytes are all set. */
static Expr find_or_add(Dag *d, const ExprNode *key)
{
    Content c = content_of(key);
    uint32_t hash = hash_of(key, c);
    uint32_t at = hash & d->mask;
    for (; d->slot[at].id; at = (at + 1) & d->mask) {
        Slot s = d->slot[at];
        if (s.hash == hash && is_same(node_of(d, (Expr)(s.id - 1)), key, c))
            return (Expr)(s.id - 1);
    }
    if (d->count >= MOST_NODES)
        die("out of memory: the model has more than %d expressions",
            MOST_NODES);
    Expr e = d->count++;
    if (e >> CHUNK_BITS == d->nchunk)
        chunk_add(d);
    ExprNode *n = &d->chunk[e >> CHUNK_BITS][e & CHUNK_MASK];
    memcpy(n, key, sizeof *n);
    if (key->op == EX_CALL) {
        Expr *args = NEW_ARRAY(d->arena, Expr, key->narg);
        if (key->narg)
            memcpy(args, key->args, key->narg * sizeof *args);
        n->args = args;
    }
    d->slot[at] = (Slot){hash, (uint32_t)e + 1};
    if ((uint64_t)d->count * 8 > ((uint64_t)d->mask + 1) * 5)
        table_grow(d);
    return e;
}

static ExprNode blank(ExprOp op, ExprType type)
{
    ExprNode n;
    memset(&n, 0, sizeof n);
    n.op = (uint8_t)op;
    n.type = (uint8_t)type;
    return n;
}

/* --- building ----------------------------------------------------------------
 */
Expr expr_constant(Dag *d, ExprType type, double value)
{
    ExprNode n = blank(EX_CONST, type);
    n.value = isnan(value) ? (double)NAN : value == 0 ? 0.0 : value;
    return find_or_add(d, &n);
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
    ExprNode n = blank(EX_STR, ET_STRING);
    n.text = intern_str(d->strings, text);
    return find_or_add(d, &n);
}

Expr expr_var(Dag *d, int var, int order, ExprType type)
{
    ExprNode n = blank(EX_VAR, type);
    n.var = var;
    n.order = order;
    return find_or_add(d, &n);
}

Expr expr_time(Dag *d)
{
    ExprNode n = blank(EX_TIME, ET_REAL);
    return find_or_add(d, &n);
}

Expr expr_call(Dag *d, int fn, int out, ExprType type, const Expr *arg,
               int narg)
{
    assert(narg >= 0 && narg <= UINT16_MAX);
    ExprNode n = blank(EX_CALL, type);
    n.narg = (uint16_t)narg;
    n.order = out;
    n.fn = fn;
    n.args = arg;
    return find_or_add(d, &n);
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
    case EX_ADD:
    case EX_SUB:
    case EX_MUL:
    case EX_NEG:
    case EX_ABS:
    case EX_MIN:
    case EX_MAX:
    case EX_IDIV:
    case EX_MOD:
    case EX_REM: return number_type(common_type(d, a, b));
    case EX_INTEGER:
    case EX_TOINT:
    case EX_SIGN: return ET_INTEGER;
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ:
    case EX_NE:
    case EX_AND:
    case EX_OR:
    case EX_NOT:
    case EX_EDGE:
    case EX_CHANGE:
    case EX_INITIAL:
    case EX_TERMINAL:
    case EX_SAMPLE: return ET_BOOLEAN;
    case EX_IF: return common_type(d, b, c);
    case EX_SMOOTH: return (ExprType)node_of(d, b)->type;
    case EX_PRE:
    case EX_NOEVENT:
    case EX_DELAY: return (ExprType)node_of(d, a)->type;
    case EX_HOMOTOPY: return common_type(d, a, b);
    case EX_CONCAT:
    case EX_TOSTR: return ET_STRING;
    default: return ET_REAL;
    }
}

Expr expr_make_raw(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    int narg = expr_op_info[op].narg;
    assert(narg >= 0);
    assert((narg < 1 || (a >= 0 && a < d->count)) &&
           (narg < 2 || (b >= 0 && b < d->count)) &&
           (narg < 3 || (c >= 0 && c < d->count)));
    ExprNode n = blank(op, expr_type_of(d, op, a, b, c));
    n.narg = (uint16_t)narg;
    n.arg[0] = narg > 0 ? a : EXPR_NONE;
    n.arg[1] = narg > 1 ? b : EXPR_NONE;
    n.arg[2] = narg > 2 ? c : EXPR_NONE;
    return find_or_add(d, &n);
}

/* --- asking
 * -------------------------------------------------------------------- */
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
    return expr_is_const(d, e, &v) && v == 0;
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

const char *expr_op_name(ExprOp op)
{
    assert(op >= 0 && op < EX_NOP);
    return expr_op_info[op].name;
}
