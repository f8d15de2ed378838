/* What prefixes can stand before (4.4.2). */
model s4_4_2_prefixes
  model M
    Real x = 1;
  end M;
  connector C
    Real e;
    flow Real f;
    input Real u;
  end C;
  connector Out = output C;
  connector Bad
    Real e;
    flow Integer f;
  end Bad;
  constant M a;
  parameter M b;
  discrete M c;
  input M d;
  flow M f;
  output C g(e = 1, u = 2);
  Out h(e = 1, u = 2);
  flow C i(e = 1, u = 2);
  Bad j(e = 1);
  parameter C k;
  discrete Real l = 1;
end s4_4_2_prefixes;
