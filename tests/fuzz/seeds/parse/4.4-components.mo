model Components
  Real a, b[2] "b", c(start = 1) = 2 if cond "c" annotation(d = 1);
  parameter Integer n(min = 1) = 3;
  discrete input Boolean u;
  constant output .Modelica.SI.Length[3, :] y[n];
  flow Real i;
  stream Real h;
  inner outer replaceable Part p constrainedby Base(x = 1) "why"
    annotation(choicesAllMatching = true);
  redeclare final replaceable model M = M2(k = 2) constrainedby M0;
  replaceable model N end N;
  replaceable A q "text" annotation(e = 1) constrainedby B "other";
  replaceable package Medium = Water annotation(choices);
  protected
  Real hidden = break;
end Components;
