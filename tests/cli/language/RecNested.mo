model RecRec "records with arrays of records"
  record Point
    Real x = 0, y = 0;
  end Point;
  record Poly
    parameter Integer n = 3;
    Point p[n];
    Real w[n, 2];
  end Poly;
  function area
    input Poly q;
    output Real a;
  protected
    Integer j;
  algorithm
    a := 0;
    for i in 1:q.n loop
      j := if i == q.n then 1 else i + 1;
      a := a + (q.p[i].x*q.p[j].y - q.p[j].x*q.p[i].y)/2;
    end for;
  end area;
  Poly q(n = 4, p(x = {0, time, time, 0}, y = {0, 0, 2, 2}), w = [1, 2; 3, 4; 5, 6; 7, time]);
  Poly r = q;
  Real a = area(q), s = sum(r.w), xs[4] = q.p.x;
equation
  assert(abs(a - 2*time) < 1e-12, "a");
  assert(abs(s - 28 - time) < 1e-12, "s");
  assert(xs[3] == time, "xs");
end RecRec;
