// The branch of p that is not taken asks for q, which needs p: what was found
// out about p on that way is not remembered. The assertion of the size of a
// stays, whoever asked for it.
model DiscardedBranch
  function f
    input Real x;
    output Integer n;
  algorithm
    assert(x > 0, "f needs x > 0");
    n := 2;
  end f;
  parameter Boolean b = false;
  parameter Integer p = if b then sum(fill(1, q)) else 1;
  parameter Integer q = p + 1;
  parameter Real r = 3;
  parameter Integer n = f(r);
  parameter Real z[:] = if b then fill(1.0, n) + {1} else {1, 2};
  Real y = z[1]*time + p + q;
end DiscardedBranch;
