// tolerance: 1e-3
// takt: sim --method partition @FILE@
// exit: 1
model NoIndexSim "Two equations that say the same"
  Real x(start = 1), y(start = 1), z;
equation
  x*y = z;
  2*log(x) + 2*log(y) = 2*log(z);
  z = 2 + sin(time);
end NoIndexSim;
