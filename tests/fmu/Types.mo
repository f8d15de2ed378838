model Types "All types of variables, as parameters, inputs and outputs"
  type Gear = enumeration(neutral "No load", first, second);
  parameter Integer n(min = 1, max = 9) = 3 "A whole number";
  parameter Boolean on = true;
  parameter Gear gear = Gear.first;
  parameter String label = "5 % <of> \"it\"";
  parameter Real k(unit = "1/s", min = 0) = 2 "Rate";
  parameter Real kk = 2*k;
  input Real u(start = 1);
  input Integer level(start = 1);
  input Boolean brake(start = false);
  output Real y = x + n;
  output Integer count(start = 0, fixed = true);
  output Boolean high = x > 0.5;
  output Gear chosen = if high then Gear.second else gear;
  Real x(start = 0.25, fixed = true, unit = "m", nominal = 2);
  Real z(unit = "m") = -x "A negated alias";
  Real w(unit = "m") = x "An alias";
equation
  der(x) = if brake then 0 else (if on then k else kk)*(u*level - x);
  when x > 0.5 then
    count = pre(count) + 1;
  end when;
end Types;
