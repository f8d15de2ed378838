model Obj "an external object with a text and a memory"
  class Acc
    extends ExternalObject;
    function constructor
      input String name;
      input Real x[:];
      output Acc a;
      external "C" a = acc_new(name, x, size(x, 1)) annotation(Include = "
#include <stdlib.h>
#include <string.h>
typedef struct { double sum; size_t n; } Acc_;
static void *acc_new(const char *name, const double *x, size_t n) { Acc_ *a = malloc(sizeof *a); a->sum = 0; a->n = strlen(name); for (size_t i = 0; i < n; i++) a->sum += x[i]; return a; }
static void acc_free(void *a) { free(a); }
static double acc_get(void *a, double u) { return ((Acc_ *)a)->sum*u + (double)((Acc_ *)a)->n; }");
    end constructor;
    function destructor
      input Acc a;
      external "C" acc_free(a);
    end destructor;
  end Acc;
  function get
    input Acc a;
    input Real u;
    output Real y;
    external "C" y = acc_get(a, u);
    annotation(derivative = get_der);
  end get;
  function get_der
    input Acc a;
    input Real u;
    input Real du;
    output Real dy;
  algorithm
    dy := (get(a, 1) - get(a, 0))*du;
  end get_der;
  parameter Real x[3] = {1, 2, 3};
  Acc acc = Acc("four", x);
  Real y = get(acc, time), z(start = 0.5), w;
equation
  get(acc, z) = 6*time + 4 "implicit";
  w = der(z);
  assert(abs(y - 6*time - 4) < 1e-12, "y");
  assert(abs(z - time) < 1e-6, "z");
  assert(abs(w - 1) < 1e-6, "w");
end Obj;
