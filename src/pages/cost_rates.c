/* cost_rates.c - the steps of a cycle, one by one. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pages/cost_rates.h"

#include <math.h>

enum { MOST_STEPS = 10000000 }; /* that are looked at, times rates */

/* In steps. */
typedef struct Beat {
    long every, first;
} Beat;

typedef long Count(const Cost *c);

long cost_operations(const Cost *c)
{
    return c->add + c->mul + c->div + c->call + c->select;
}

static long count_instructions(const Cost *c)
{
    return c->instructions;
}

double cost_steps_between(const TapeRate *r, double step)
{
    return r->interval > step ? r->interval / step : 1;
}

static bool is_whole(double x, long *n)
{
    *n = lround(x);
    return x < 1e9 && fabs(x - (double)*n) <= 1e-6 * fmax(1, x);
}

static long gcd(long a, long b)
{
    while (b) {
        long r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* Steps until all rates tick as before; 0: none, or too many. */
static long find_cycle(const Tape *t, double step, Beat *beat, long *begin)
{
    long length = 1;
    *begin = 1; /* step 0 is the start */
    for (int r = 0; r < t->rate.n; r++) {
        const TapeRate *rate = &t->rate.at[r];
        if (!is_whole(cost_steps_between(rate, step), &beat[r].every) ||
            !is_whole(rate->first / step, &beat[r].first))
            return 0;
        length *= beat[r].every / gcd(length, beat[r].every);
        *begin = beat[r].first > *begin ? beat[r].first : *begin;
        if (length > MOST_STEPS / t->rate.n)
            return 0;
    }
    return length;
}

static CostSteps of_cycle(const Tape *t, const CostTable *table,
                          const Beat *beat, long begin, long length,
                          Count *count)
{
    long always = count(&table->total), sum = 0;
    for (int r = 0; r < t->rate.n; r++)
        always -= count(&table->rate[r]);
    CostSteps s = {.least = count(&table->total)};
    for (long n = begin; n < begin + length; n++) {
        long work = always;
        for (int r = 0; r < t->rate.n; r++)
            if ((n - beat[r].first) % beat[r].every == 0)
                work += count(&table->rate[r]);
        sum += work - always;
        s.least = work < s.least ? work : s.least;
        s.worst = work > s.worst ? work : s.worst;
    }
    s.mean = (double)always + (double)sum / (double)length;
    return s;
}

/* Without a cycle: no rate, their shares, all at once. */
static CostSteps of_any(const Tape *t, const CostTable *table, double step,
                        Count *count)
{
    CostSteps s = {count(&table->total), count(&table->total), 0};
    double mean = 0;
    for (int r = 0; r < t->rate.n; r++) {
        s.least -= count(&table->rate[r]);
        mean += (double)count(&table->rate[r]) /
                cost_steps_between(&t->rate.at[r], step);
    }
    s.mean = (double)s.least + mean;
    return s;
}

CostCycle cost_cycle(const Tape *t, const CostTable *table, double step)
{
    Arena *local = arena_new();
    Beat *beat = NEW_ARRAY(local, Beat, t->rate.n + 1);
    long begin;
    CostCycle c = {.length = find_cycle(t, step, beat, &begin)};
    Count *count[2] = {cost_operations, count_instructions};
    CostSteps *to[2] = {&c.operations, &c.instructions};
    for (int k = 0; k < 2; k++)
        *to[k] = c.length ? of_cycle(t, table, beat, begin, c.length, count[k])
                          : of_any(t, table, step, count[k]);
    arena_free(local);
    return c;
}
