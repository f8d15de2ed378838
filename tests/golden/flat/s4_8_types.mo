package P
  type Voltage = Real(final unit = "V", min = 0, nominal = 10);
  type Vector = Voltage[3];
  type Mode = enumeration(off "no", on "yes");
  model M
    Voltage u(start = 1) = 2;
    Vector w = {1, 2, 3};
    Vector m[2] = {{1, 2, 3}, {4, 5, 6}};
    parameter Mode mode = Mode.on;
    Real y = if mode == Mode.on then 1 else 0;
    Real z(stateSelect = StateSelect.prefer, start = 0);
  equation
    der(z) = y;
  end M;
end P;
