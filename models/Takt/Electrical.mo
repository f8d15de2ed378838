within Takt;
package Electrical "Circuits"
  // --- passive parts ---

  model Ground "The potential 0"
    Interfaces.Pin p "Pin";
  equation
    p.v = 0;
  end Ground;

  model Resistor "v = R i, with a resistance that may depend on temperature"
    extends Interfaces.TwoPin;
    extends Interfaces.Lossy(Tfixed = Tref);
    parameter Units.Resistance R(start = 1) "Resistance at Tref";
    parameter Units.Temperature Tref = 300.15 "Reference temperature";
    parameter Units.TemperatureCoefficient alpha = 0 "Temperature coefficient";
  equation
    v = R*(1 + alpha*(T - Tref))*i;
    loss = v*i;
  end Resistor;

  model Conductor "i = G v"
    extends Interfaces.TwoPin;
    parameter Units.Conductance G(start = 1) "Conductance";
  equation
    i = G*v;
  end Conductor;

  model Capacitor "i = C v'"
    extends Interfaces.TwoPin(v(start = 0));
    parameter Units.Capacitance C(start = 1) "Capacitance";
  equation
    i = C*der(v);
  end Capacitor;

  model Inductor "v = L i'"
    extends Interfaces.TwoPin(i(start = 0));
    parameter Units.Inductance L(start = 1) "Inductance";
  equation
    v = L*der(i);
  end Inductor;

  model CoupledInductors "Two coils on one core"
    extends Interfaces.FourPin(i1(start = 0), i2(start = 0));
    parameter Units.Inductance L1(start = 1) "Inductance of the left coil";
    parameter Units.Inductance L2(start = 1) "Inductance of the right coil";
    parameter Units.Inductance M(start = 0.9) "Mutual inductance";
  equation
    v1 = L1*der(i1) + M*der(i2);
    v2 = M*der(i1) + L2*der(i2);
  end CoupledInductors;

  model IdealTransformer "Voltages and currents in a fixed ratio"
    extends Interfaces.FourPin;
    parameter Real n(start = 1) "Turns ratio left to right";
  equation
    v1 = n*v2;
    i2 = -n*i1;
  end IdealTransformer;

  // --- sources ---

  model ConstantVoltage "A battery"
    extends Interfaces.TwoPin;
    parameter Units.Voltage V(start = 1) "Voltage";
  equation
    v = V;
  end ConstantVoltage;

  model SineVoltage "A sine voltage"
    extends Interfaces.TwoPin;
    parameter Units.Voltage V(start = 1) "Amplitude";
    parameter Units.Frequency f(start = 50) "Frequency";
    parameter Units.Angle phase = 0 "Phase at the start";
    parameter Units.Voltage offset = 0 "Mean value";
  equation
    v = offset + V*sin(2*Constants.pi*f*time + phase);
  end SineVoltage;

  model StepVoltage "A voltage that jumps"
    extends Interfaces.TwoPin;
    parameter Units.Voltage V(start = 1) "How far it jumps";
    parameter Units.Voltage offset = 0 "Voltage before";
    parameter Units.Time startTime = 0 "Time of the jump";
  equation
    v = offset + (if time < startTime then 0 else V);
  end StepVoltage;

  model SignalVoltage "The voltage of a signal"
    extends Interfaces.TwoPin;
    Interfaces.RealInput u "Voltage";
  equation
    v = u;
  end SignalVoltage;

  model ConstantCurrent "A current source"
    extends Interfaces.TwoPin;
    parameter Units.Current I(start = 1) "Current from p to n";
  equation
    i = I;
  end ConstantCurrent;

  model SineCurrent "A sine current"
    extends Interfaces.TwoPin;
    parameter Units.Current I(start = 1) "Amplitude";
    parameter Units.Frequency f(start = 50) "Frequency";
    parameter Units.Angle phase = 0 "Phase at the start";
    parameter Units.Current offset = 0 "Mean value";
  equation
    i = offset + I*sin(2*Constants.pi*f*time + phase);
  end SineCurrent;

  model SignalCurrent "The current of a signal"
    extends Interfaces.TwoPin;
    Interfaces.RealInput u "Current from p to n";
  equation
    i = u;
  end SignalCurrent;

  // --- semiconductors and switches ---

  function junction "exp(x) up to xmax, a straight line beyond"
    input Real x;
    input Real xmax;
    output Real y;
  algorithm
    y := if x < xmax then exp(x) else exp(xmax)*(1 + x - xmax);
    annotation(Inline = true, smoothOrder = 1);
  end junction;

  model Diode "Exponential diode"
    extends Interfaces.TwoPin;
    extends Interfaces.Lossy;
    parameter Units.Current Is = 1e-6 "Saturation current";
    parameter Units.Voltage Vt = 0.04 "Voltage by which the current grows e-fold";
    parameter Real xmax = 15 "The curve is a straight line beyond xmax Vt";
    parameter Units.Resistance R = 1e8 "Parallel resistance";
  equation
    i = Is*(smooth(1, noEvent(junction(v/Vt, xmax))) - 1) + v/R;
    loss = v*i;
  end Diode;

  model IdealDiode "Conducts or blocks, with small losses in both states"
    extends Interfaces.TwoPin;
    parameter Units.Resistance Ron = 1e-5 "Resistance while it conducts";
    parameter Units.Conductance Goff = 1e-5 "Conductance while it blocks";
    parameter Units.Voltage knee = 0 "Voltage at which it begins to conduct";
    Boolean off(start = true) "Does it block?";
  protected
    Real s(start = 0) "Parameter of the curve: v - knee while off, current while on";
    constant Units.Voltage unitVoltage = 1;
    constant Units.Current unitCurrent = 1;
  equation
    off = s < 0;
    v = s*unitVoltage*(if off then 1 else Ron*unitCurrent/unitVoltage) + knee;
    i = s*unitCurrent*(if off then Goff*unitVoltage/unitCurrent else 1) + Goff*knee;
  end IdealDiode;

  model Switch "Opens and closes by a signal"
    extends Interfaces.TwoPin;
    parameter Units.Resistance Ron = 1e-3 "Resistance while closed";
    parameter Units.Conductance Goff = 1e-6 "Conductance while open";
    Interfaces.BooleanInput closed "Is it closed?";
  equation
    v = if closed then Ron*i else i/Goff;
  end Switch;

  model Npn "NPN transistor (Ebers and Moll)"
    parameter Real bf = 100 "Forward current gain";
    parameter Real br = 1 "Reverse current gain";
    parameter Units.Current Is = 1e-14 "Transport saturation current";
    parameter Units.Voltage Vt = 0.02585 "Thermal voltage";
    parameter Real xmax = 40 "The curves are straight lines beyond xmax Vt";
    Interfaces.Pin c "Collector";
    Interfaces.Pin b "Base";
    Interfaces.Pin e "Emitter";
    Units.Voltage vbe(start = 0) "Voltage from base to emitter";
    Units.Voltage vbc(start = 0) "Voltage from base to collector";
  protected
    Units.Current forward "Current of the emitter junction";
    Units.Current reverse "Current of the collector junction";
    parameter Units.Conductance Gmin = 1e-12 "Leakage of the junctions";
  equation
    vbe = b.v - e.v;
    vbc = b.v - c.v;
    forward = Is*(smooth(1, noEvent(junction(vbe/Vt, xmax))) - 1) + Gmin*vbe;
    reverse = Is*(smooth(1, noEvent(junction(vbc/Vt, xmax))) - 1) + Gmin*vbc;
    b.i = forward/bf + reverse/br;
    c.i = forward - reverse - reverse/br;
    b.i + c.i + e.i = 0;
  end Npn;

  model HotNpn "NPN transistor whose temperature decides on its currents, and follows from them"
    parameter Real bf = 100 "Forward current gain";
    parameter Real br = 1 "Reverse current gain";
    parameter Units.Current Is = 1e-14 "Transport saturation current at Tref";
    parameter Units.Temperature Tref = 300.15 "Reference temperature";
    parameter Units.Voltage gap = 1.12 "Voltage of the band gap";
    parameter Units.Conductance Gmin = 1e-12 "Leakage of the junctions";
    Interfaces.Pin c "Collector";
    Interfaces.Pin b "Base";
    Interfaces.Pin e "Emitter";
    Interfaces.HeatPort heat "Crystal";
    Units.Voltage vbe(start = 0) "Voltage from base to emitter";
    Units.Voltage vbc(start = 0) "Voltage from base to collector";
    Units.Voltage Vt "Thermal voltage";
    Units.Power loss "Power that becomes heat";
  protected
    Units.Current hot "Saturation current at this temperature";
    Units.Current forward "Current of the emitter junction";
    Units.Current reverse "Current of the collector junction";
    constant Real k(unit = "V/K") = 8.617333262e-5 "Boltzmann's constant over the elementary charge";
    parameter Real xmax = 60 "The curves are straight lines beyond xmax Vt";
  equation
    Vt = k*heat.T;
    hot = Is*(heat.T/Tref)^3*exp(gap/k*(1/Tref - 1/heat.T));
    vbe = b.v - e.v;
    vbc = b.v - c.v;
    forward = hot*(smooth(1, noEvent(junction(vbe/Vt, xmax))) - 1) + Gmin*vbe;
    reverse = hot*(smooth(1, noEvent(junction(vbc/Vt, xmax))) - 1) + Gmin*vbc;
    b.i = forward/bf + reverse/br;
    c.i = forward - reverse - reverse/br;
    b.i + c.i + e.i = 0;
    loss = b.v*b.i + c.v*c.i + e.v*e.i;
    heat.Q = -loss;
  end HotNpn;

  model PowerNpn "Transistor in its case: crystal, leads, and the way of its heat"
    parameter Units.Resistance Rb = 10 "Lead of the base";
    parameter Units.Resistance Re = 0.5 "Lead of the emitter";
    parameter Units.Current Is = 1e-14 "Transport saturation current at 300.15 K";
    parameter Units.HeatCapacity C = 2e-3 "Heat capacity of the crystal";
    parameter Units.ThermalConductance G = 0.02 "From the crystal to the case";
    Interfaces.Pin c "Collector";
    Interfaces.Pin b "Base";
    Interfaces.Pin e "Emitter";
    Interfaces.HeatPort case "Outside of the case";
    HotNpn core(Is = Is) "What is in the crystal";
    Resistor base(R = Rb) "Lead";
    Resistor emitter(R = Re) "Lead";
    Thermal.HeatCapacitor crystal(C = C) "Crystal";
    Thermal.Conductor way(G = G) "From the crystal to the case";
  equation
    connect(c, core.c);
    connect(b, base.p);
    connect(base.n, core.b);
    connect(core.e, emitter.p);
    connect(emitter.n, e);
    connect(core.heat, crystal.a);
    connect(crystal.a, way.a);
    connect(way.b, case);
  end PowerNpn;

  // --- amplifiers ---

  model IdealOpAmp "Operational amplifier: its inputs have one potential"
    Interfaces.Pin inP "Non-inverting input";
    Interfaces.Pin inN "Inverting input";
    Interfaces.Pin out "Output; the current returns through ground";
  equation
    inP.v = inN.v;
    inP.i = 0;
    inN.i = 0;
  end IdealOpAmp;

  model OpAmp "Operational amplifier with finite gain and a limited output"
    parameter Real gain = 1e5 "Gain without load";
    parameter Units.Voltage Vmax = 15 "Largest absolute output voltage";
    parameter Units.Resistance Rin = 1e6 "Resistance between the inputs";
    parameter Units.Resistance Rout = 75 "Resistance of the output";
    Interfaces.Pin inP "Non-inverting input";
    Interfaces.Pin inN "Inverting input";
    Interfaces.Pin out "Output; the current returns through ground";
    Units.Voltage vin(start = 0) "Voltage between the inputs";
  equation
    vin = inP.v - inN.v;
    inP.i = vin/Rin;
    inP.i + inN.i = 0;
    out.v = Vmax*tanh(gain*vin/Vmax) + Rout*out.i;
  end OpAmp;

  // --- sensors ---

  model PotentialSensor "Potential of a pin"
    Interfaces.Pin p "Pin";
    Interfaces.RealOutput y(unit = "V") "Potential";
  equation
    p.i = 0;
    y = p.v;
  end PotentialSensor;

  model VoltageSensor "Voltage between two pins"
    Interfaces.Pin p "Positive pin";
    Interfaces.Pin n "Negative pin";
    Interfaces.RealOutput y(unit = "V") "Voltage from p to n";
  equation
    p.i = 0;
    n.i = 0;
    y = p.v - n.v;
  end VoltageSensor;

  model CurrentSensor "Current through a wire"
    Interfaces.Pin p "Positive pin";
    Interfaces.Pin n "Negative pin";
    Interfaces.RealOutput y(unit = "A") "Current from p to n";
  equation
    p.v = n.v;
    p.i = y;
    n.i = -y;
  end CurrentSensor;

  // --- machines ---

  model Emf "Where electricity becomes torque"
    extends Interfaces.TwoPin;
    parameter Units.MotorConstant k(start = 1) "Torque for one ampere";
    Units.AngularVelocity w "Speed of the shaft";
    Interfaces.RotFlange shaft "Shaft; the housing does not turn";
  equation
    w = der(shaft.phi);
    v = k*w;
    shaft.tau = -k*i;
  end Emf;

  model DcMotor "Motor with permanent magnets"
    parameter Units.Resistance R = 0.5 "Resistance of the winding";
    parameter Units.Inductance L = 2e-3 "Inductance of the winding";
    parameter Units.MotorConstant k = 0.1 "Torque for one ampere";
    parameter Units.Inertia J = 1e-3 "Inertia of the rotor";
    parameter Units.RotationalDamping d = 1e-4 "Friction of the bearings";
    Units.Current i = winding.i "Current";
    Units.AngularVelocity w = rotor.w "Speed";
    Interfaces.Pin p "Positive pin";
    Interfaces.Pin n "Negative pin";
    Interfaces.RotFlange shaft "Shaft";
    Resistor resistor(R = R) "Resistance of the winding";
    Inductor winding(L = L) "Inductance of the winding";
    Emf emf(k = k) "Air gap";
    Rotational.Inertia rotor(J = J) "Rotor";
    Rotational.BearingFriction bearing(d = d) "Friction";
  equation
    connect(p, resistor.p);
    connect(resistor.n, winding.p);
    connect(winding.n, emf.p);
    connect(emf.n, n);
    connect(emf.shaft, rotor.a);
    connect(rotor.b, shaft);
    connect(bearing.a, emf.shaft);
  end DcMotor;

  model SeriesMotor "Motor whose field is made by its own current"
    extends Interfaces.TwoPin(i(start = 0));
    parameter Units.Resistance R = 0.5 "Resistance of both windings";
    parameter Units.Inductance L = 5e-3 "Inductance of both windings";
    parameter Units.Inductance M = 0.05 "Torque for the square of one ampere";
    parameter Units.Inertia J = 1e-2 "Inertia of the rotor";
    Units.AngularVelocity w(start = 0) "Speed";
    Units.Torque torque "Torque of the air gap";
    Interfaces.RotFlange shaft "Shaft";
  equation
    w = der(shaft.phi);
    v = R*i + L*der(i) + M*i*w;
    torque = M*i^2;
    J*der(w) = torque + shaft.tau;
  end SeriesMotor;
end Electrical;
