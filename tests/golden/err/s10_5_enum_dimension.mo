/* 10.5: a dimension by an enumeration is asked for by that enumeration. */
model EnumDimension
  type Color = enumeration(red, green, blue);
  type Side = enumeration(left, right);
  Real x[Color] = {1, 2, 3};
  Real y = x[Side.left];
  Real z = x[Color.green];
end EnumDimension;
