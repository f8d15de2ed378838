model Tank
  parameter Real area = 2
  Real h(start = 1);
equation
  area * der(h) = -h
  ;
  x = 1
end Tank;
