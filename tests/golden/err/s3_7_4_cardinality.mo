/* 3.7.4: cardinality() counts the connections of a connector. */
model Cardinality
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p;
  Real x = time;
  Real n = cardinality(x);
equation
  p.v = 1;
end Cardinality;
