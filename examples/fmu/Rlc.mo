model Rlc "A voltage step on a resistor, an inductor and a capacitor in a row"
  parameter Real R(unit = "Ohm") = 10 "Resistance";
  parameter Real L(unit = "H") = 1e-3 "Inductance";
  parameter Real C(unit = "F") = 1e-6 "Capacitance";
  input Real u(unit = "V", start = 1) "Voltage of the source";
  Real i(unit = "A", start = 0, fixed = true) "Current";
  output Real v(unit = "V", start = 0, fixed = true) "Voltage of the capacitor";
equation
  L*der(i) = u - R*i - v;
  C*der(v) = i;
  annotation(experiment(StopTime = 1e-3, Interval = 1e-6));
end Rlc;
