within Takt;
package Translational "Bodies that move along a line"
  model Fixed "A point that does not move"
    parameter Units.Position s0 = 0 "Its position";
    Interfaces.TransFlange a "Rod end";
  equation
    a.s = s0;
  end Fixed;

  model Mass "A rigid body without length"
    extends Interfaces.TransTwoFlanges;
    parameter Units.Mass m(start = 1) "Mass";
    parameter StateSelect stateSelect = StateSelect.default "Should s and v be states?";
    Units.Position s(start = 0, stateSelect = stateSelect) "Position";
    Units.Velocity v(start = 0, stateSelect = stateSelect) "Speed";
    Units.Acceleration acc(start = 0) "Acceleration";
  equation
    s = a.s;
    s = b.s;
    v = der(s);
    acc = der(v);
    m*acc = a.f + b.f;
  end Mass;

  model Rod "A rigid rod without mass"
    extends Interfaces.TransTwoFlanges;
    parameter Units.Length l(start = 1) "Length";
  equation
    b.s = a.s + l;
    0 = a.f + b.f;
  end Rod;

  model Spring "Linear spring"
    extends Interfaces.TransCompliant;
    parameter Units.Stiffness c(start = 1) "Stiffness";
    parameter Units.Length l0 = 0 "Length without force";
  equation
    f = c*(srel - l0);
  end Spring;

  model Damper "Linear damper"
    extends Interfaces.TransCompliant;
    parameter Units.Damping d(start = 0) "Damping";
    Units.Velocity vrel "Speed of b against a";
    Units.Power loss "Power that becomes heat";
  equation
    vrel = der(srel);
    f = d*vrel;
    loss = f*vrel;
  end Damper;

  model SpringDamper "Spring and damper side by side"
    extends Interfaces.TransCompliant(srel(stateSelect = StateSelect.prefer));
    parameter Units.Stiffness c(start = 1) "Stiffness";
    parameter Units.Damping d(start = 0) "Damping";
    parameter Units.Length l0 = 0 "Length without force of the spring";
    Units.Velocity vrel(start = 0, stateSelect = StateSelect.prefer) "Speed of b against a";
  equation
    vrel = der(srel);
    f = c*(srel - l0) + d*vrel;
  end SpringDamper;

  model Stop "A stiff contact: pushes when the ends come too near, never pulls"
    extends Interfaces.TransCompliant;
    parameter Units.Stiffness c(start = 1e5) "Stiffness";
    parameter Units.Damping d(start = 0) "Damping while in contact";
    parameter Units.Length l0 = 0 "Distance at which contact begins";
    Units.Velocity vrel "Speed of b against a";
    Boolean contact "Do the ends touch?";
  equation
    vrel = der(srel);
    contact = srel < l0;
    f = if contact then min(0, c*(srel - l0) + d*vrel) else 0;
  end Stop;

  model Friction "Friction against the ground, without a corner at rest"
    parameter Units.Damping d = 0 "Viscous friction";
    parameter Units.Force f0(start = 1) "Coulomb friction";
    parameter Units.Velocity v0 = 1e-3 "Coulomb friction is reached at about 3 v0";
    Units.Velocity v "Speed";
    Interfaces.TransFlange a "Rod end";
  equation
    v = der(a.s);
    a.f = d*v + f0*tanh(v/v0);
  end Friction;

  model RackAndPinion "Turning becomes moving"
    parameter Units.Length r(start = 0.1) "Radius of the pinion";
    Interfaces.RotFlange rot "Pinion";
    Interfaces.TransFlange trans "Rack";
  equation
    trans.s = r*rot.phi;
    0 = rot.tau + r*trans.f;
  end RackAndPinion;

  // --- sources ---

  model Force "A force by signal, against the ground"
    Interfaces.RealInput u(unit = "N") "Force";
    Interfaces.TransFlange a "Rod end";
  equation
    a.f = -u;
  end Force;

  model ConstantForce "A constant force against the ground"
    parameter Units.Force force(start = 1) "Force";
    Interfaces.TransFlange a "Rod end";
  equation
    a.f = -force;
  end ConstantForce;

  model Position "A position by signal"
    Interfaces.RealInput u(unit = "m") "Position";
    Interfaces.TransFlange a "Rod end";
  equation
    a.s = u;
  end Position;

  model Speed "A speed by signal"
    Interfaces.RealInput u(unit = "m/s") "Speed";
    Interfaces.TransFlange a "Rod end";
    Units.Position s(start = 0, fixed = true) "Position";
  equation
    a.s = s;
    der(s) = u;
  end Speed;

  // --- sensors ---

  model PositionSensor "Position of a rod end"
    Interfaces.TransFlange a "Rod end";
    Interfaces.RealOutput y(unit = "m") "Position";
  equation
    a.f = 0;
    y = a.s;
  end PositionSensor;

  model SpeedSensor "Speed of a rod end"
    Interfaces.TransFlange a "Rod end";
    Interfaces.RealOutput y(unit = "m/s") "Speed";
  equation
    a.f = 0;
    y = der(a.s);
  end SpeedSensor;

  model ForceSensor "Force between two rod ends"
    extends Interfaces.TransTwoFlanges;
    Interfaces.RealOutput y(unit = "N") "Force from a to b";
  equation
    a.s = b.s;
    a.f = y;
    b.f = -y;
  end ForceSensor;
end Translational;
