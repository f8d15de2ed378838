model Ext
  function fill2 "matrix in, vector and scalar out"
    input Real A[:, :]; input Integer n; input String s; output Real v[size(A, 1)]; output Real m;
    external "C" m = fill2(A, size(A, 1), size(A, 2), n, s, v) annotation(Include = "
#include <string.h>
static double fill2(const double* A, size_t n1, size_t n2, int n, const char* s, double* v) {
  double m = 0; size_t i, j;
  for (i = 0; i < n1; i++) { v[i] = 0; for (j = 0; j < n2; j++) { v[i] += A[i*n2 + j]; m += n*A[i*n2 + j]; } }
  return m + (double)strlen(s);
}");
  annotation(Inline=false);
  end fill2;
  record Rec
    Real a; Integer b; Real c;
  end Rec;
  pure function recsum
    input Rec r; output Real y;
    external "C" y = recsum(r) annotation(Include = "
typedef struct { double a; int b; double c; } RecC;
static double recsum(const void* p) { const RecC* r = (const RecC*)p; return r->a + 10*r->b + 100*r->c; }");
  end recsum;
  class Obj
    extends ExternalObject;
    function constructor
      input Real v[:]; output Obj o;
      external "C" o = obj_new(v, size(v, 1)) annotation(Include = "
#include <stdlib.h>
typedef struct { double sum; } ObjC;
static void* obj_new(const double* v, size_t n) { ObjC* o = malloc(sizeof *o); size_t i; o->sum = 0; for (i = 0; i < n; i++) o->sum += v[i]; return o; }
static void obj_free(void* o) { free(o); }
static double obj_get(void* o, double u) { return ((ObjC*)o)->sum*u; }");
    end constructor;
    function destructor
      input Obj o;
      external "C" obj_free(o);
    end destructor;
  end Obj;
  pure function get
    input Obj o; input Real u; output Real y;
    external "C" y = obj_get(o, u);
  end get;
  Obj o = Obj({1, 2, 3});
  Real v[2], m, r = recsum(Rec(time, 2, 3)), g = get(o, time);
equation
  (v, m) = fill2([1, 2, 3; 4, 5, time], 2, "four");
equation
  assert(time < 0.999 or abs(v[1] - (6)) < 2e-6*(1 + abs(6)), "v[1]");
  assert(time < 0.999 or abs(v[2] - (10)) < 2e-6*(1 + abs(10)), "v[2]");
  assert(time < 0.999 or abs(m - (36)) < 2e-6*(1 + abs(36)), "m");
  assert(time < 0.999 or abs(r - (321)) < 2e-6*(1 + abs(321)), "r");
  assert(time < 0.999 or abs(g - (6)) < 2e-6*(1 + abs(6)), "g");
end Ext;
