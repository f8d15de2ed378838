model Pump
  Real x;
equation
  x = 1;
end Pmup;
