within Names;
model Broken
  Real x
  Real y;
end Broken;
