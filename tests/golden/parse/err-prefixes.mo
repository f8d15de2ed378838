model A
  input flow Real x;
  parameter constant Real y;
  final redeclare Real z;
  replaceable inner Real w;
  type T = parameter Real;
  pure model M end M;
  expandable model N end N;
  partial Real q;
end A;
