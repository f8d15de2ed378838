/* stream.c - stream connectors (chapter 15). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/connect.h"

void stream_join(const Context *in, int a, bool outside_a, int b,
                 bool outside_b, int edge)
{
    (void)a, (void)b, (void)outside_a, (void)outside_b;
    diag_report(in->diag, ST(in)->graph->edges.at[edge].span, DIAG_U0801,
                "not supported yet: stream connectors");
}

Value *stream_operator(const Context *in, Scope *scope, const AstExpr *call)
{
    (void)scope;
    diag_report(in->diag, call->span, DIAG_U0801,
                "not supported yet: stream connectors");
    return value_error(in);
}
