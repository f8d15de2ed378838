// check: y 1 3
// grid: 1e-9
model Text "texts that cannot change decide"
  parameter String s = "D" + "y";
  parameter Real k = if s == "Dy" then 3 else 2;
  Real y = k*time;
end Text;
