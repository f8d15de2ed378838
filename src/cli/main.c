/* main.c - the program is the command of the library. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/interrupt.h"
#include "takt/takt.h"

int main(int argc, char **argv)
{
    interrupt_watch();
    return takt_command(argc, argv);
}
