model M
  model Resistor
    parameter Real R = 1;
    Real v = R;
  end Resistor;
  Resistor r(resistance = 2);
end M;
