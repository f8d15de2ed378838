#ifndef FRICTION_H
#define FRICTION_H
#include "detail/constants.h"
double friction(double w);
double friction_der(double w, double dw);
#endif
