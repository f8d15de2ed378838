within Takt;
package Robots "Arms with axes that turn, and what drives them"
  model Arm6 "Six-axis arm: turret, shoulder, elbow, and a wrist that rolls, pitches and rolls"
    // physical data; every centre of mass lies on the z axis of its link but that
    // of link 6, and the axes of a link are principal axes of its inertia
    parameter Units.Angle tilt = 0.15 "Slope of the floor the arm stands on";
    parameter Units.Acceleration g = Constants.g "Gravity";
    parameter Units.Length l2 = 0.5 "Shoulder to elbow";
    parameter Units.Length l3 = 0.73 "Elbow to wrist";
    parameter Units.Inertia I1 = 1.2 "Link 1, the turret, about its axis";
    parameter Units.Mass m2 = 48 "Link 2, the upper arm";
    parameter Units.Length z2 = 0.2 "Link 2: centre of mass beyond the shoulder";
    parameter Units.Inertia I2[3] = {2.6, 2.5, 0.5} "Link 2 about its centre of mass";
    parameter Units.Mass m3 = 24 "Link 3, the forearm";
    parameter Units.Length z3 = 0.18 "Link 3: centre of mass beyond the elbow";
    parameter Units.Inertia I3[3] = {1.1, 1.0, 0.25} "Link 3 about its centre of mass";
    parameter Units.Mass m4 = 8 "Link 4, the hollow shaft of the hand";
    parameter Units.Length z4 = -0.16 "Link 4: centre of mass beyond the wrist";
    parameter Units.Inertia I4[3] = {0.12, 0.11, 0.035} "Link 4 about its centre of mass";
    parameter Units.Mass m5 = 5 "Link 5, the hand";
    parameter Units.Length z5 = 0.03 "Link 5: centre of mass beyond the wrist";
    parameter Units.Inertia I5[3] = {0.03, 0.026, 0.014} "Link 5 about its centre of mass";
    parameter Units.Mass m6 = 12 "Link 6, flange, gripper and load";
    parameter Units.Length z6 = 0.17 "Link 6: centre of mass beyond the wrist";
    parameter Units.Length x6 = 0.06 "Link 6: centre of mass beside axis 6";
    parameter Units.Inertia I6[3] = {0.14, 0.11, 0.07} "Link 6 about its centre of mass";
    parameter Units.Angle q0[6] = zeros(6) "Angles at the start";
    Interfaces.RotFlange flange[6] "The axes";
    Units.Angle q[6](start = q0, each fixed = true) "Angles of the axes";
    Units.AngularVelocity u[6](each start = 0, each fixed = true) "Speeds of the axes";
    Units.AngularAcceleration a[6](each start = 0) "Accelerations of the axes";
    Units.Torque tau[6] "Torques the axes are turned with";
  protected
    // base parameters: what of a link turns with its own joint goes on to the
    // link before
    final parameter Real X6(unit = "kg.m2") = I6[1] - I6[2] - m6*x6^2;
    final parameter Units.Inertia Z6 = I6[3] + m6*x6^2;
    final parameter Units.Inertia P6 = m6*x6*z6;
    final parameter Real mx6(unit = "kg.m") = m6*x6;
    final parameter Units.Inertia Y5 = I5[2] + m5*z5^2 + I6[2] + m6*(x6^2 + z6^2);
    final parameter Real X5(unit = "kg.m2") = I5[1] - I5[2] - I5[3] + Y5;
    final parameter Real mz5(unit = "kg.m") = m5*z5 + m6*z6;
    final parameter Real X4(unit = "kg.m2") = I4[1] + I5[3] - I4[2];
    final parameter Units.Inertia Z4 = I4[3] + I5[3];
    final parameter Units.Mass m456 = m4 + m5 + m6;
    final parameter Units.Inertia Y3 = I3[2] + m3*z3^2 + I4[2] + m4*z4^2
      + 2*l3*m4*z4 + m456*l3^2;
    final parameter Real X3(unit = "kg.m2") = I3[1] - I3[2] - I3[3] + Y3;
    final parameter Real mz3(unit = "kg.m") = m3*z3 + m4*z4 + m456*l3;
    final parameter Units.Inertia Y2 = I2[2] + m2*z2^2 + (m3 + m456)*l2^2;
    final parameter Real X2(unit = "kg.m2") = I2[1] - I2[2] - I2[3] + Y2;
    final parameter Real mz2(unit = "kg.m") = m2*z2 + (m3 + m456)*l2;
    final parameter Units.Inertia Z1 = I1 + I2[3] + I3[3];
    final parameter Units.Acceleration gx = -g*sin(tilt), gz = g*cos(tilt);
    Real c1, s1, c2, s2, c3, s3, c4, s4, c5, s5, c6, s6;
    // in the axes of its link: w angular velocity, z its derivative, b acceleration
    // of the origin less gravity, e acceleration at z = 1 m beyond that of the
    // origin, f and n force and moment at the origin
    Real b1x, b1y;
    Real w2x, w2z, z2x, z2z, b2x, b2z, e2[3], n2[3];
    Real w3[3], zz3[3], b3[3], e3[3], f3[3], n3[3];
    Real w4[3], zz4[3], b4[3], f4[2], n4[3];
    Real w5[3], zz5[3], b5[3], e5[3], f5[3], n5[3];
    Real w6[3], zz6[3], b6y, f6[3], n6[3];
  equation
    for i in 1:6 loop
      flange[i].phi = q[i];
      u[i] = der(q[i]);
      a[i] = der(u[i]);
      flange[i].tau = tau[i];
    end for;
    c1 = cos(q[1]);
    s1 = sin(q[1]);
    c2 = cos(q[2]);
    s2 = sin(q[2]);
    c3 = cos(q[3]);
    s3 = sin(q[3]);
    c4 = cos(q[4]);
    s4 = sin(q[4]);
    c5 = cos(q[5]);
    s5 = sin(q[5]);
    c6 = cos(q[6]);
    s6 = sin(q[6]);
    // outwards: turret
    b1x = c1*gx;
    b1y = -s1*gx;
    // upper arm, a pitch axis
    w2x = -s2*u[1];
    w2z = c2*u[1];
    z2x = -s2*a[1] - w2z*u[2];
    z2z = c2*a[1] + w2x*u[2];
    b2x = c2*b1x - s2*gz;
    b2z = s2*b1x + c2*gz;
    e2[1] = a[2] + w2x*w2z;
    e2[2] = u[2]*w2z - z2x;
    e2[3] = -(w2x^2 + u[2]^2);
    // forearm, a pitch axis
    w3[1] = c3*w2x - s3*w2z;
    w3[2] = u[2] + u[3];
    w3[3] = s3*w2x + c3*w2z;
    zz3[1] = c3*z2x - s3*z2z - w3[3]*u[3];
    zz3[2] = a[2] + a[3];
    zz3[3] = s3*z2x + c3*z2z + w3[1]*u[3];
    b3[1] = c3*(b2x + l2*e2[1]) - s3*(b2z + l2*e2[3]);
    b3[2] = b1y + l2*e2[2];
    b3[3] = s3*(b2x + l2*e2[1]) + c3*(b2z + l2*e2[3]);
    e3[1] = zz3[2] + w3[1]*w3[3];
    e3[2] = w3[2]*w3[3] - zz3[1];
    e3[3] = -(w3[1]^2 + w3[2]^2);
    // wrist, a roll axis
    w4[1] = c4*w3[1] + s4*w3[2];
    w4[2] = c4*w3[2] - s4*w3[1];
    w4[3] = w3[3] + u[4];
    zz4[1] = c4*zz3[1] + s4*zz3[2] + w4[2]*u[4];
    zz4[2] = c4*zz3[2] - s4*zz3[1] - w4[1]*u[4];
    zz4[3] = zz3[3] + a[4];
    b4[1] = c4*(b3[1] + l3*e3[1]) + s4*(b3[2] + l3*e3[2]);
    b4[2] = c4*(b3[2] + l3*e3[2]) - s4*(b3[1] + l3*e3[1]);
    b4[3] = b3[3] + l3*e3[3];
    // hand, a pitch axis
    w5[1] = c5*w4[1] - s5*w4[3];
    w5[2] = w4[2] + u[5];
    w5[3] = s5*w4[1] + c5*w4[3];
    zz5[1] = c5*zz4[1] - s5*zz4[3] - w5[3]*u[5];
    zz5[2] = zz4[2] + a[5];
    zz5[3] = s5*zz4[1] + c5*zz4[3] + w5[1]*u[5];
    b5[1] = c5*b4[1] - s5*b4[3];
    b5[2] = b4[2];
    b5[3] = s5*b4[1] + c5*b4[3];
    e5[1] = zz5[2] + w5[1]*w5[3];
    e5[2] = w5[2]*w5[3] - zz5[1];
    e5[3] = -(w5[1]^2 + w5[2]^2);
    // flange with load, a roll axis
    w6[1] = c6*w5[1] + s6*w5[2];
    w6[2] = c6*w5[2] - s6*w5[1];
    w6[3] = w5[3] + u[6];
    zz6[1] = c6*zz5[1] + s6*zz5[2] + w6[2]*u[6];
    zz6[2] = c6*zz5[2] - s6*zz5[1] - w6[1]*u[6];
    zz6[3] = zz5[3] + a[6];
    b6y = c6*b5[2] - s6*b5[1];
    // inwards
    f6[1] = -mx6*(w6[2]^2 + w6[3]^2);
    f6[2] = mx6*(zz6[3] + w6[1]*w6[2]);
    f6[3] = mx6*(w6[1]*w6[3] - zz6[2]);
    n6[1] = X6*zz6[1] + Z6*w6[2]*w6[3] - P6*(zz6[3] + w6[1]*w6[2]);
    n6[2] = (X6 - Z6)*w6[1]*w6[3] + P6*(w6[1]^2 - w6[3]^2) - mx6*b5[3];
    n6[3] = Z6*zz6[3] - X6*w6[1]*w6[2] - P6*(zz6[1] - w6[2]*w6[3]) + mx6*b6y;
    f5[1] = mz5*e5[1] + c6*f6[1] - s6*f6[2];
    f5[2] = mz5*e5[2] + s6*f6[1] + c6*f6[2];
    f5[3] = mz5*e5[3] + f6[3];
    n5[1] = X5*zz5[1] - Y5*w5[2]*w5[3] - mz5*b5[2] + c6*n6[1] - s6*n6[2];
    n5[2] = Y5*zz5[2] + X5*w5[1]*w5[3] + mz5*b5[1] + s6*n6[1] + c6*n6[2];
    n5[3] = (Y5 - X5)*w5[1]*w5[2] + n6[3];
    f4[1] = c5*f5[1] + s5*f5[3];
    f4[2] = f5[2];
    n4[1] = X4*zz4[1] + Z4*w4[2]*w4[3] + c5*n5[1] + s5*n5[3];
    n4[2] = (X4 - Z4)*w4[1]*w4[3] + n5[2];
    n4[3] = Z4*zz4[3] - X4*w4[1]*w4[2] + c5*n5[3] - s5*n5[1];
    f3[1] = mz3*e3[1] + c4*f4[1] - s4*f4[2];
    f3[2] = mz3*e3[2] + s4*f4[1] + c4*f4[2];
    f3[3] = mz3*e3[3] + c5*f5[3] - s5*f5[1];
    n3[1] = X3*zz3[1] - Y3*w3[2]*w3[3] - mz3*b3[2]
      + c4*n4[1] - s4*n4[2] - l3*(s4*f4[1] + c4*f4[2]);
    n3[2] = Y3*zz3[2] + X3*w3[1]*w3[3] + mz3*b3[1]
      + s4*n4[1] + c4*n4[2] + l3*(c4*f4[1] - s4*f4[2]);
    n3[3] = (Y3 - X3)*w3[1]*w3[2] + n4[3];
    n2[1] = X2*z2x - Y2*u[2]*w2z - mz2*b1y + c3*n3[1] + s3*n3[3] - l2*f3[2];
    n2[2] = Y2*a[2] + X2*w2x*w2z + mz2*b2x + n3[2] + l2*(c3*f3[1] + s3*f3[3]);
    n2[3] = (Y2 - X2)*w2x*u[2] + c3*n3[3] - s3*n3[1];
    tau[1] = Z1*a[1] + c2*n2[3] - s2*n2[1];
    tau[2] = n2[2];
    tau[3] = n3[2];
    tau[4] = n4[3];
    tau[5] = n5[2];
    tau[6] = n6[3];
    annotation(Documentation(info = "<html>
<p>At q = 0 the arm points upwards. Axes 1, 4 and 6 roll (about the z axis of
their link), axes 2, 3 and 5 pitch (about y); the last three meet in the wrist.
The floor is sloped by <code>tilt</code> about the y axis, so that gravity acts on
all six axes.</p>
<p>The equations are the recursion of Newton and Euler (Luh, Walker and Paul 1980),
each link in its own axes: velocities and accelerations outwards, forces and
moments inwards. Written with a as unknowns they are M(q) a + h(q, u) = tau; the
full 6 x 6 matrix M, Coriolis, centrifugal and gravity terms are never written
out, and a step costs what the recursion costs.</p>
<p>Base parameters (Gautier and Khalil 1990): the part of a link's inertia that
does not change when its joint turns is counted with the link before it. For a
roll joint these are its mass, m z and the inertia I_y about x and y; for a pitch
joint its mass and the inertia I_z about x and z. What is left of a link are two
or three numbers, and forces without m times an acceleration.</p>
</html>"));
  end Arm6;

  function cycloid "From 0 to 1; speed and acceleration begin and end at zero"
    input Real x;
    output Real y;
  algorithm
    y := x - sin(2*Constants.pi*x)/(2*Constants.pi);
    annotation(Inline = true);
  end cycloid;

  block Path "Two smooth moves, one after the other: shares of the way"
    parameter Units.Time start1 = 0.05 "Begin of the first move";
    parameter Units.Time duration1 = 0.75 "Duration of the first move";
    parameter Units.Time start2 = 0.9 "Begin of the second move";
    parameter Units.Time duration2 = 0.75 "Duration of the second move";
    Interfaces.RealOutput y1 "Done of the first move, 0 to 1";
    Interfaces.RealOutput y2 "Done of the second move, 0 to 1";
  equation
    y1 = cycloid(noEvent(max(0, min(1, (time - start1)/duration1))));
    y2 = cycloid(noEvent(max(0, min(1, (time - start2)/duration2))));
  end Path;

  block ReferenceFilter "Smooths an angle and gives its speed"
    parameter Units.Time T(min = 1e-12) = 0.01 "Time constant";
    parameter Real q0 = 0 "Angle at the start";
    Interfaces.RealInput u "Angle of the path";
    Interfaces.RealOutput q(start = q0, fixed = true) "Smoothed angle";
    Interfaces.RealOutput w "Its speed";
  equation
    T*w = u - q;
    der(q) = w;
  end ReferenceFilter;

  block AnaloguePi "PI controller around an amplifier with finite gain"
    parameter Real k(start = 1) "Gain";
    parameter Units.Time T(start = 1, min = 1e-12) "Integral time";
    parameter Real gain = 1e4 "Gain of the amplifier without feedback";
    parameter Units.Resistance R1 = 1e4 "Each input resistor";
    Interfaces.RealInput set "What is wanted";
    Interfaces.RealInput actual "What is measured";
    Interfaces.RealOutput y "Output of the amplifier";
    Units.Voltage x(start = 0, fixed = true) "Voltage of the capacitor";
  protected
    final parameter Units.Resistance R2 = k*R1 "Feedback resistor";
    final parameter Units.Capacitance C = T/R2 "Feedback capacitor";
    Units.Voltage v "Input of the amplifier, nearly 0";
    Units.Current i "Current into the feedback";
  equation
    i = (actual - v)/R1 - (set + v)/R1;
    C*der(x) = i;
    y = v - R2*i - x;
    y = -gain*v;
  end AnaloguePi;

  block AnalogueFilter "Low-pass filter around an amplifier with finite gain"
    parameter Units.Time T(start = 1, min = 1e-12) "Time constant";
    parameter Real gain = 1e4 "Gain of the amplifier without feedback";
    parameter Units.Resistance R = 1e4 "Input and feedback resistor";
    Interfaces.RealInput u "Signal, inverted";
    Interfaces.RealOutput y "Filtered signal";
    Units.Voltage x(start = 0, fixed = true) "Voltage of the capacitor";
  protected
    final parameter Units.Capacitance C = T/R "Feedback capacitor";
    Units.Voltage v "Input of the amplifier, nearly 0";
  equation
    C*der(x) = -(u + v)/R - x/R;
    x = v - y;
    y = -gain*v;
  end AnalogueFilter;

  connector DcLink "The wires of a common supply"
    Units.Voltage v "Voltage";
    flow Units.Current i "Current into the component";
  end DcLink;

  model Supply "Rectifier with a resistance of its own"
    parameter Units.Voltage V0 = 300 "Voltage without load";
    parameter Units.Resistance R = 0.4 "Resistance of wires and rectifier";
    DcLink link "Where amplifiers are connected";
  equation
    link.v = V0 + R*link.i;
  end Supply;

  model PowerAmplifier "Four-quadrant chopper: the mean over its beat"
    parameter Units.Voltage V0 = 300 "Link voltage the duty is computed for";
    Real duty "Share of the link voltage, -1 to 1";
    Interfaces.RealInput u(unit = "V") "Voltage wanted";
    DcLink link "Supply";
    Interfaces.Pin p "Positive output";
    Interfaces.Pin n "Negative output";
  equation
    duty = u/V0;
    p.v - n.v = duty*link.v;
    link.i = -duty*p.i;
    p.i + n.i = 0;
  end PowerAmplifier;

  model Motor "DC motor with R and L, and iron losses beside the winding"
    extends Interfaces.TwoPin;
    parameter Units.Resistance R = 0.8 "Resistance of brushes and leads";
    parameter Units.Resistance Riron = 150 "Iron losses as a resistance";
    parameter Units.Resistance Rw = 0.4 "Resistance of the winding";
    parameter Units.Inductance L = 5e-3 "Inductance of the winding";
    parameter Units.MotorConstant k = 0.6 "Torque for one ampere";
    Units.Current iw(start = 0, fixed = true) "Current of the winding";
    Units.Current iiron "Current that heats the iron";
    Units.Voltage vin "Voltage behind brushes and leads";
    Units.AngularVelocity w "Speed";
    Interfaces.RotFlange shaft "Rotor";
  equation
    w = der(shaft.phi);
    i = iw + iiron;
    v = R*i + vin;
    vin = Riron*iiron;
    L*der(iw) = vin - k*w - Rw*iw;
    shaft.tau = -k*iw;
  end Motor;

  function sign "Sign of x without a jump, about linear below x0"
    input Real x;
    input Real x0;
    output Real y;
  algorithm
    y := x/sqrt(x^2 + x0^2);
    annotation(Inline = true, smoothOrder = 10);
  end sign;

  model GearTrain "Rotor, a stage of spur gears, an elastic shaft, a wheel, an elastic output"
    parameter Real n1 = 5 "Ratio of the first stage";
    parameter Real n2 = 20 "Ratio from the intermediate wheel to the output";
    parameter Units.Inertia Jm = 1.3e-3 "Rotor";
    parameter Units.Inertia J1 = 4e-3 "First wheel, which turns with the rotor";
    parameter Units.Inertia J2 = 6e-3 "Intermediate wheel";
    parameter Units.RotationalStiffness c1 = 1500 "Shaft between the wheels";
    parameter Units.RotationalDamping d1 = 0.5 "Damping of the shaft";
    parameter Units.RotationalStiffness c2 = 2e5 "Output gear, seen from the output";
    parameter Units.RotationalDamping d2 = 400 "Damping of the output gear";
    parameter Units.RotationalDamping dm = 5e-4 "Bearings of the rotor";
    parameter Real mu = 0.04 "Loss of the first stage as a share of its torque";
    parameter Units.Torque tauLoss = 0.3 "Torque from which on the loss grows with torque";
    parameter Units.Torque tau0 = 20 "Coulomb friction of the output bearing";
    parameter Units.RotationalDamping d0 = 15 "Viscous friction of the output bearing";
    parameter Units.AngularVelocity wm0 = 5 "Rotor speed where friction has built up";
    parameter Units.AngularVelocity w0 = 0.05 "Output speed where friction has built up";
    parameter Units.Angle q0 = 0 "Angle of the output at the start";
    Units.Angle phi(start = n1*n2*q0, fixed = true) "Angle of the rotor";
    Units.AngularVelocity w(start = 0, fixed = true) "Speed of the rotor";
    Units.Angle phi2(start = n2*q0, fixed = true) "Angle of the intermediate wheel";
    Units.AngularVelocity w2(start = 0, fixed = true) "Speed of the intermediate wheel";
    Units.AngularVelocity wout "Speed of the output";
    Units.Torque tauIn(start = 0) "Torque into the first stage";
    Units.Torque loss "Torque lost in it";
    Units.Torque tauWheel "Torque its wheel receives";
    Units.Torque tau1 "Torque of the shaft";
    Units.Torque tau2 "Torque of the output gear";
    Units.Torque friction "Friction of the output bearing";
    Interfaces.RotFlange a "Rotor";
    Interfaces.RotFlange b "Output";
  equation
    a.phi = phi;
    w = der(phi);
    w2 = der(phi2);
    wout = der(b.phi);
    // rotor and first wheel turn together: their torques and their acceleration
    // are one loop
    Jm*der(w) = a.tau - dm*w - tauIn;
    loss = mu*sqrt(tauIn^2 + tauLoss^2)*sign(w, wm0);
    tauWheel = n1*(tauIn - loss);
    J1*der(w)/n1 = tauWheel - tau1;
    tau1 = c1*(phi/n1 - phi2) + d1*(w/n1 - w2);
    J2*der(w2) = tau1 - tau2/n2;
    tau2 = c2*(phi2/n2 - b.phi) + d2*(w2/n2 - wout);
    friction = d0*wout + tau0*sign(wout, w0);
    b.tau = friction - tau2;
  end GearTrain;

  model Axis "One axis: controllers, amplifier, motor and gear; 11 states"
    parameter Units.Angle q0 = 0 "Angle at the start";
    parameter Units.Angle move1 = 1 "First move";
    parameter Units.Angle move2 = -1 "Second move";
    parameter Real kp = 18 "Gain of the position controller";
    parameter Units.Time Tp = 0.6 "Integral time of the position controller";
    parameter Real kv = 0.9 "Gain of the speed controller";
    parameter Units.Time Tv = 0.06 "Integral time of the speed controller";
    parameter Real kc = 4 "Gain of the current controller";
    parameter Units.Time Tc = 5e-3 "Integral time of the current controller";
    Interfaces.RealInput path1 "Share of the first move";
    Interfaces.RealInput path2 "Share of the second move";
    DcLink link "Supply";
    Interfaces.RotFlange joint "Joint of the arm";
    ReferenceFilter reference(q0 = q0) "Smoothed path";
    Blocks.Math.Feedback error "Position error";
    Blocks.Continuous.PI position(k = kp, T = Tp) "Position controller";
    Blocks.Math.Add command(k1 = n, k2 = n) "Speed wanted of the rotor";
    AnaloguePi speed(k = kv, T = Tv) "Speed controller";
    AnalogueFilter tacho(T = 1e-3) "Tachometer";
    AnaloguePi current(k = kc, T = Tc) "Current controller";
    Blocks.Continuous.FirstOrder shunt(T = 3e-4) "Current measurement";
    PowerAmplifier amplifier "Power amplifier";
    Motor motor "Motor";
    GearTrain gear(q0 = q0) "Gear";
    Electrical.Ground ground "Housing";
  protected
    final parameter Real n = gear.n1*gear.n2 "Ratio of the whole gear";
  equation
    reference.u = q0 + move1*path1 + move2*path2;
    error.u1 = reference.q;
    error.u2 = gear.phi/n;
    position.u = error.y;
    command.u1 = position.y;
    command.u2 = reference.w;
    speed.set = command.y;
    tacho.u = gear.w;
    speed.actual = tacho.y;
    current.set = speed.y;
    shunt.u = motor.i;
    current.actual = shunt.y;
    amplifier.u = current.y;
    connect(link, amplifier.link);
    connect(amplifier.p, motor.p);
    connect(amplifier.n, motor.n);
    connect(motor.n, ground.p);
    connect(motor.shaft, gear.a);
    connect(gear.b, joint);
  end Axis;

end Robots;
