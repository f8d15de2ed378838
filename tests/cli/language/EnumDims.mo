model EnumDim "enumerations and Booleans as dimensions"
  type Axis = enumeration(x, y, z);
  Real v[Axis] = {1, 2, 3}*time, w[Boolean] = {5, 6};
  Real m[Axis, 2];
  Real s = sum(v[a]*Integer(a) for a in Axis), t = w[time > 0.505];
  Integer k = Integer(Axis.z);
  parameter Axis first = Axis.y;
equation
  for a in Axis loop
    m[a, 1] = v[a];
    m[a, 2] = if a < Axis.z then 0 else 1;
  end for;
  assert(abs(s - 14*time) < 1e-12 and k == 3, "s");
  assert(m[Axis.z, 2] == 1 and m[first, 1] == 2*time, "m");
  assert(abs(t - (if time > 0.505 then 6 else 5)) < 1e-12, "t");
end EnumDim;
