within Takt;
package Rotational "Shafts that turn"
  model Fixed "A shaft end that does not turn"
    parameter Units.Angle phi0 = 0 "Its angle";
    Interfaces.RotFlange a "Shaft end";
  equation
    a.phi = phi0;
  end Fixed;

  model Inertia "A rigid rotor"
    extends Interfaces.RotTwoFlanges;
    parameter Units.Inertia J(start = 1) "Moment of inertia";
    parameter StateSelect stateSelect = StateSelect.default "Should phi and w be states?";
    Units.Angle phi(start = 0, stateSelect = stateSelect) "Angle";
    Units.AngularVelocity w(start = 0, stateSelect = stateSelect) "Speed";
    Units.AngularAcceleration acc(start = 0) "Acceleration";
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    acc = der(w);
    J*acc = a.tau + b.tau;
  end Inertia;

  model Spring "Linear spring"
    extends Interfaces.RotCompliant;
    parameter Units.RotationalStiffness c(start = 1) "Stiffness";
    parameter Units.Angle twist0 = 0 "Twist without torque";
  equation
    tau = c*(twist - twist0);
  end Spring;

  model Damper "Linear damper"
    extends Interfaces.RotCompliantMoving;
    parameter Units.RotationalDamping d(start = 0) "Damping";
    Units.Power loss "Power that becomes heat";
  equation
    tau = d*wrel;
    loss = tau*wrel;
  end Damper;

  model SpringDamper "Spring and damper side by side"
    extends Interfaces.RotCompliantMoving;
    parameter Units.RotationalStiffness c(start = 1) "Stiffness";
    parameter Units.RotationalDamping d(start = 0) "Damping";
    parameter Units.Angle twist0 = 0 "Twist without torque of the spring";
  equation
    tau = c*(twist - twist0) + d*wrel;
  end SpringDamper;

  model Backlash "Spring and damper with a gap"
    extends Interfaces.RotCompliantMoving;
    parameter Units.RotationalStiffness c(start = 1e5) "Stiffness";
    parameter Units.RotationalDamping d(start = 0) "Damping while in contact";
    parameter Units.Angle gap(min = 0) = 0 "Angle that can be turned freely";
  protected
    Units.Angle bent "Twist beyond the gap";
  equation
    bent = smooth(0, if twist > gap/2 then twist - gap/2
                     elseif twist < -gap/2 then twist + gap/2 else 0);
    tau = c*bent + (if abs(twist) > gap/2 then d*wrel else 0);
  end Backlash;

  model BearingFriction "Friction against the housing"
    parameter Units.RotationalDamping d(start = 0) "Viscous friction";
    parameter Units.Torque tau0 = 0 "Coulomb friction";
    parameter Units.AngularVelocity w0 = 0.01 "Coulomb friction is reached at about 3 w0";
    Units.AngularVelocity w "Speed";
    Interfaces.RotFlange a "Shaft end";
  equation
    w = der(a.phi);
    a.tau = d*w + tau0*tanh(w/w0);
  end BearingFriction;

  model IdealGear "Gear without mass, loss or play"
    extends Interfaces.RotTwoFlanges;
    parameter Real ratio(start = 1) "Turns of a for one turn of b";
  equation
    a.phi = ratio*b.phi;
    0 = ratio*a.tau + b.tau;
  end IdealGear;

  model LossyGear "Gear with a loss that is proportional to speed"
    extends Interfaces.RotTwoFlanges;
    parameter Real ratio(start = 1) "Turns of a for one turn of b";
    parameter Units.RotationalDamping d = 0 "Loss torque at a for a speed of 1 rad/s";
    Units.AngularVelocity w "Speed of a";
  equation
    w = der(a.phi);
    a.phi = ratio*b.phi;
    0 = ratio*(a.tau - d*w) + b.tau;
  end LossyGear;

  model Planetary "Sun, carrier and ring"
    parameter Real ratio(start = 2) "Teeth of the ring for one tooth of the sun";
    Interfaces.RotFlange sun "Sun";
    Interfaces.RotFlange carrier "Carrier";
    Interfaces.RotFlange ring "Ring";
  equation
    (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
    ring.tau = ratio*sun.tau;
    carrier.tau = -(1 + ratio)*sun.tau;
  end Planetary;

  // --- sources and loads ---

  model Torque "A torque by signal, against the housing"
    Interfaces.RealInput u(unit = "N.m") "Torque";
    Interfaces.RotFlange a "Shaft end";
  equation
    a.tau = -u;
  end Torque;

  model ConstantTorque "A constant torque against the housing"
    parameter Units.Torque torque(start = 1) "Torque";
    Interfaces.RotFlange a "Shaft end";
  equation
    a.tau = -torque;
  end ConstantTorque;

  model QuadraticLoad "A fan or a propeller: torque grows with the square of speed"
    parameter Units.Torque torque(start = 1) "Torque at speed w0";
    parameter Units.AngularVelocity w0(start = 100) "Speed at which it is reached";
    Units.AngularVelocity w "Speed";
    Interfaces.RotFlange a "Shaft end";
  equation
    w = der(a.phi);
    a.tau = torque*(w/w0)*sqrt((w/w0)^2 + 1e-6);
  end QuadraticLoad;

  model Speed "A speed by signal"
    Interfaces.RealInput u(unit = "rad/s") "Speed";
    Interfaces.RotFlange a "Shaft end";
    Units.Angle phi(start = 0, fixed = true) "Angle";
  equation
    a.phi = phi;
    der(phi) = u;
  end Speed;

  model Position "An angle by signal"
    Interfaces.RealInput u(unit = "rad") "Angle";
    Interfaces.RotFlange a "Shaft end";
  equation
    a.phi = u;
  end Position;

  // --- sensors ---

  model AngleSensor "Angle of a shaft"
    Interfaces.RotFlange a "Shaft end";
    Interfaces.RealOutput y(unit = "rad") "Angle";
  equation
    a.tau = 0;
    y = a.phi;
  end AngleSensor;

  model SpeedSensor "Speed of a shaft"
    Interfaces.RotFlange a "Shaft end";
    Interfaces.RealOutput y(unit = "rad/s") "Speed";
  equation
    a.tau = 0;
    y = der(a.phi);
  end SpeedSensor;

  model TorqueSensor "Torque between two shaft ends"
    extends Interfaces.RotTwoFlanges;
    Interfaces.RealOutput y(unit = "N.m") "Torque from a to b";
  equation
    a.phi = b.phi;
    a.tau = y;
    b.tau = -y;
  end TorqueSensor;
end Rotational;
