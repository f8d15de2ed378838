model A
  Real end;
  Real input;
  parameter Real flow = 1;
  Real x = when;
end A;
