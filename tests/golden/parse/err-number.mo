model A
  parameter Real a = 1e;
  parameter Real b = 2x;
  parameter Real c = 1e999;
  parameter Real d = 1.5.2;
end A;
