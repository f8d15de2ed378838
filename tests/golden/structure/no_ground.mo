model NoGround "Nothing says where the potential 0 is"
  Kit.Source source;
  Kit.Resistor R(R = 2);
  Kit.Capacitor C(v(start = 0, fixed = true));
equation
  connect(source.p, R.p);
  connect(R.n, C.p);
  connect(C.n, source.n);
end NoGround;
