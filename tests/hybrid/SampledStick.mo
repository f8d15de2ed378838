// check: x 3 -0.2300592330719341
// grid: 0.02
model SampledStick "PD control every 1/4, held, of a mass with dry friction 0.2 that sticks"
  parameter Real mu = 0.2;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), a, f, s;
  discrete Real u(start = 0, fixed = true);
  Integer mode(start = 0, fixed = true) "1 forward, -1 backward, 0 stuck";
  Boolean forward(start = false, fixed = true), backward(start = false, fixed = true);
equation
  when sample(0, 0.25) then
    u = -x - 0.5*v;
  end when;
  der(x) = v;
  der(v) = a;
  a = u - f;
  forward = pre(mode) == 0 and (s > mu or pre(forward) and s > mu);
  backward = pre(mode) == 0 and (s < -mu or pre(backward) and s < -mu);
  f = if pre(mode) == 1 or forward then mu else if pre(mode) == -1 or backward then -mu else s;
  a = if pre(mode) == 1 then s - mu else if pre(mode) == -1 then s + mu
    else if forward then s - mu else if backward then s + mu else 0;
  mode = if (pre(mode) == 1 or forward) and v > 0 then 1
    else if (pre(mode) == -1 or backward) and v < 0 then -1 else 0;
end SampledStick;
