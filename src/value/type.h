/* type.h - the types of values: built-in types, enumerations, records. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_VALUE_TYPE_H
#define TAKT_VALUE_TYPE_H

#include "value/context.h"

typedef struct Class Class; /* of whoever elaborates classes */

typedef enum TypeKind {
    TYPE_REAL,
    TYPE_INTEGER,
    TYPE_BOOLEAN,
    TYPE_STRING,
    TYPE_CLOCK,
    TYPE_ENUM,
    TYPE_RECORD,   /* members in the order of declaration */
    TYPE_FUNCTION, /* a function as an argument: class and bound arguments */
    TYPE_OBJECT,   /* external object */
    TYPE_ANY,      /* result of an error that was reported */
    TYPE_NORETURN, /* a call without a value */
} TypeKind;

typedef struct Type Type;

typedef struct TypeMember {
    const char *name;
    const Type *type; /* element type */
    int ndim;
    const int *dim; /* sizes; NONE: not known (function inputs) */
} TypeMember;

struct Type {
    TypeKind kind;
    int enumeration;    /* TYPE_ENUM: index in Flat.enumeration */
    const Class *cls;   /* TYPE_RECORD, TYPE_FUNCTION, TYPE_OBJECT */
    const char *name;   /* full class name, for messages and for equality of
                           record types */
    TypeMember *member; /* TYPE_RECORD */
    int nmember;
};

const Type *type_builtin(TypeKind kind);
const Type *type_enum(const Context *in, int enumeration);
bool type_equal(const Type *a, const Type *b);
/* The type both fit to: Integer and Real give Real, records by their members.
 * NULL: there is none. */
const Type *type_common(const Type *a, const Type *b);
const char *type_text(const Context *in, const Type *type, int ndim,
                      const int *dim); /* "Real[3]" for messages */
const char *dims_text(const Context *in, int ndim,
                      const int *dim); /* "[3, :]" */

#endif
