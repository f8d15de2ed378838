model ExtC "arrays, strings, output records in external C"
  record R
    Real a;
    Integer k;
  end R;
  function dot
    input Real x[:];
    input Real y[size(x, 1)];
    output Real s;
    external "C" s = my_dot(x, y, size(x, 1)) annotation(Include = "
static double my_dot(const double *x, const double *y, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += x[i]*y[i]; return s; }");
  end dot;
  function count
    input String s;
    input String c;
    output Integer n;
    external "C" n = my_count(s, c) annotation(Include = "
static int my_count(const char *s, const char *c) { int n = 0; for (; *s; s++) n += *s == *c; return n; }");
  end count;
  function mat
    input Real A[:, :];
    output Real B[size(A, 2), size(A, 1)];
    external "C" my_transpose(A, size(A, 1), size(A, 2), B) annotation(Include = "
static void my_transpose(const double *a, size_t m, size_t n, double *b) { for (size_t i = 0; i < m; i++) for (size_t j = 0; j < n; j++) b[j*m + i] = a[i*n + j]; }");
  end mat;
  Real x[3] = {time, 2*time, 3}, s = dot(x, {1, 2, 3}), B[3, 2] = mat([time, 2, 3; 4, 5*time, 6]);
  parameter Integer n = count("abracadabra", "a");
equation
  assert(abs(s - (5*time + 9)) < 1e-12, "s");
  assert(n == 5, "n");
  assert(abs(B[2, 2] - 5*time) < 1e-12 and B[3, 1] == 3 and B[1, 2] == 4, "B");
end ExtC;
