#include "friction.h"

#include <math.h>

double friction_scale = FRICTION_SCALE; /* a name that others may have, too */

double friction(double w)
{
    return friction_scale * tanh(20 * w) + 0.3 * w;
}

double friction_der(double w, double dw)
{
    double t = tanh(20 * w);
    return (friction_scale * 20 * (1 - t * t) + 0.3) * dw;
}
