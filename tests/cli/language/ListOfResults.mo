model ListOfResults "Integer and Boolean among the results of a call that varies continuously"
  function f
    input Real x;
    output Real y;
    output Integer n;
    output Boolean b;
  algorithm
    y := x^2;
    n := integer(floor(10*x + 1e-9));
    b := n >= 4;
  end f;
  Real y, w, v[11] = {i^2 for i in 0:10};
  Integer n, k(start = 0, fixed = true);
  Boolean b;
equation
  (y, n, b) = f(time);
  w = v[n + 1];
  when n >= 5 then
    k = pre(k) + 1;
  end when;
  assert(abs(n - (10*time - 0.5)) < 0.5 + 1e-6, "n");
  assert(abs(w - n^2) < 1e-12, "w");
  assert(b == (n >= 4), "b");
  assert(time < 0.999 or k == 1, "k");
end ListOfResults;
