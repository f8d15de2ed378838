model M "members of records in functions: each is its own"
  record Inner
    Real p = 1, q = 2;
    Integer n[2] = {3, 4};
  end Inner;
  record Outer
    Real a;
    Inner b;
    Inner c[2];
  end Outer;
  function make
    input Real a;
    output Outer r = Outer(a, Inner(p = 10*a, q = 20*a), {Inner(), Inner(q = 5, n = {7, 8})});
  algorithm
    r.c[1].p := r.b.q + a;
    r.c[2].n[1] := r.c[2].n[2] + r.b.n[1];
  end make;
  function read
    input Outer r;
    output Real v[8] = {r.a, r.b.p, r.b.q, r.c[1].p, r.c[1].q, r.c[2].q, r.c[2].n[1], r.c[2].n[2]};
  algorithm
  end read;
  function total
    input Inner x[:];
    output Real y = 0;
  protected
    Inner copy;
  algorithm
    for i in 1:size(x, 1) loop
      copy := x[i];
      y := y + copy.p + 10*copy.q + 100*copy.n[2];
    end for;
  end total;
  constant Outer o = make(2);
  constant Real v[8] = read(o);
  constant Real t = total(o.c);
  constant Real u = total({o.b, Inner(p = -1, q = -2)});
  Outer live = make(time);
  Real w[8] = read(live);
end M;
