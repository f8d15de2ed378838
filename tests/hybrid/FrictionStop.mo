// check: x 5 -0.76
// grid: 0.01
// seen: 1e-3
model FrictionStop "a mass with dry friction 0.3 thrown against a stop at 1, which it leaves with 0.8 of its speed; it comes to rest"
  Real x(start = 0, fixed = true), v(start = 1.5, fixed = true), a, f, s;
  Integer mode(start = 1, fixed = true) "1 forward, -1 backward, 0 stuck";
  Boolean forward(start = false, fixed = true), backward(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = a;
  a = -f;
  forward = pre(mode) == 0 and (s > 0.3 or pre(forward) and s > 0.3);
  backward = pre(mode) == 0 and (s < -0.3 or pre(backward) and s < -0.3);
  f = if pre(mode) == 1 or forward then 0.3 else if pre(mode) == -1 or backward then -0.3 else s;
  a = if pre(mode) == 1 then s - 0.3 else if pre(mode) == -1 then s + 0.3
    else if forward then s - 0.3 else if backward then s + 0.3 else 0;
  mode = if (pre(mode) == 1 or forward or pre(mode) == -1) and v > 0 then 1
    else if (pre(mode) == -1 or backward or pre(mode) == 1) and v < 0 then -1 else 0;
  when x >= 1 and v > 0 then
    reinit(v, -0.8*pre(v));
  end when;
end FrictionStop;
