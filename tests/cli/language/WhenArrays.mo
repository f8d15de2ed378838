model Whens2 "elsewhen, vector conditions, reinit of arrays, edge and change"
  parameter Integer n = 2;
  Real h[n](start = {1, 2}, each fixed = true), v[n](each start = 0, each fixed = true);
  Integer bounces[n](each start = 0, each fixed = true), k(start = 0, fixed = true), m(start = 0, fixed = true);
  discrete Real t0(start = -1, fixed = true);
equation
  der(h) = v;
  for i in 1:n loop
    der(v[i]) = -9.81;
    when h[i] < 0 then
      reinit(v[i], -0.5*pre(v[i]));
      bounces[i] = pre(bounces[i]) + 1;
    end when;
  end for;
  when {time > 0.155, time > 0.305} then
    k = pre(k) + 1;
  elsewhen time > 0.2 then
    k = pre(k) + 10;
  end when;
algorithm
  when change(k) then
    m := pre(m) + k;
    t0 := time;
  end when;
equation
  when terminal() then
    assert(k == 12 and m == 1 + 11 + 12, "k, m");
    assert(abs(t0 - 0.305) < 0.0051, "t0");
    assert(bounces[1] >= 1 and bounces[2] == 1, "bounces");
  end when;
end Whens2;
