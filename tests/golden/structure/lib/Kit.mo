package Kit "Components that the cases are made of"
  connector Pin "Electrical"
    Real v;
    flow Real i;
  end Pin;

  connector Flange "Mechanical"
    Real phi;
    flow Real tau;
  end Flange;

  partial model TwoPin
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends TwoPin;
    parameter Real R = 1;
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin;
    parameter Real C = 1;
  equation
    i = C*der(v);
  end Capacitor;

  model Inductor
    extends TwoPin;
    parameter Real L = 1;
  equation
    v = L*der(i);
  end Inductor;

  model Source
    extends TwoPin;
    parameter Real f = 1;
  equation
    v = sin(f*time);
  end Source;

  model Battery
    extends TwoPin;
    parameter Real V = 1;
  equation
    v = V;
  end Battery;

  model CurrentSource
    extends TwoPin;
    parameter Real f = 1;
  equation
    i = sin(f*time);
  end CurrentSource;

  model Inertia
    Flange a, b;
    parameter Real J = 1;
    Real phi, w;
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  end Inertia;

  block Gain
    input Real u;
    output Real y;
    parameter Real k = 1;
  equation
    y = k*u;
  end Gain;
end Kit;
