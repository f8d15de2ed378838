model Redundant "The last equation says nothing new"
  Real x, y, z;
equation
  x = y;
  y = z;
  z = x;
end Redundant;
