within Takt;
package Interfaces "Connectors, and what components of a kind have in common"
  connector RealInput = input Real "A signal that comes in";
  connector RealOutput = output Real "A signal that goes out";
  connector BooleanInput = input Boolean "A yes or no that comes in";
  connector BooleanOutput = output Boolean "A yes or no that goes out";

  connector Pin "An electrical connection"
    Units.Voltage v "Potential";
    flow Units.Current i "Current into the component";
  end Pin;

  connector RotFlange "The end of a shaft"
    Units.Angle phi "Angle";
    flow Units.Torque tau "Torque into the component";
  end RotFlange;

  connector TransFlange "The end of a rod that moves along a line"
    Units.Position s "Position";
    flow Units.Force f "Force into the component";
  end TransFlange;

  connector HeatPort "A place with a temperature"
    Units.Temperature T "Temperature";
    flow Units.HeatFlow Q "Heat flow into the component";
  end HeatPort;

  partial block Source "One output"
    RealOutput y "Output";
  end Source;

  partial block SingleInOut "One input, one output"
    RealInput u "Input";
    RealOutput y "Output";
  end SingleInOut;

  partial block DoubleInOut "Two inputs, one output"
    RealInput u1 "First input";
    RealInput u2 "Second input";
    RealOutput y "Output";
  end DoubleInOut;

  partial model TwoPin "Two pins; the current flows from p to n"
    Units.Voltage v "Voltage from p to n";
    Units.Current i "Current from p to n";
    Pin p "Positive pin";
    Pin n "Negative pin";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end TwoPin;

  partial model FourPin "Two pairs of pins"
    Units.Voltage v1 "Voltage of the left pair";
    Units.Voltage v2 "Voltage of the right pair";
    Units.Current i1 "Current from p1 to n1";
    Units.Current i2 "Current from p2 to n2";
    Pin p1 "Positive pin of the left pair";
    Pin n1 "Negative pin of the left pair";
    Pin p2 "Positive pin of the right pair";
    Pin n2 "Negative pin of the right pair";
  equation
    v1 = p1.v - n1.v;
    v2 = p2.v - n2.v;
    i1 = p1.i;
    i2 = p2.i;
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
  end FourPin;

  partial model Lossy "Turns power into heat, given to a heat port if there is one"
    parameter Boolean useHeatPort = false "Is there a heat port?"
      annotation(Evaluate = true);
    parameter Units.Temperature Tfixed = 293.15
      "Temperature of the component without a heat port";
    Units.HeatFlow loss "Power that becomes heat";
    Units.Temperature T "Temperature of the component";
    HeatPort heatPort(T = T, Q = -loss) if useHeatPort "Where the heat goes";
  equation
    if not useHeatPort then
      T = Tfixed;
    end if;
  end Lossy;

  partial model RotTwoFlanges "Two shaft ends"
    RotFlange a "Left end";
    RotFlange b "Right end";
  end RotTwoFlanges;

  partial model RotCompliant "Two shaft ends that can be twisted against each other"
    extends RotTwoFlanges;
    Units.Angle twist(start = 0) "Angle of b against a";
    Units.Torque tau "Torque that b receives from a, positive when it twists back";
  equation
    twist = b.phi - a.phi;
    b.tau = tau;
    a.tau = -tau;
  end RotCompliant;

  partial model RotCompliantMoving "As RotCompliant, with the relative speed"
    extends RotCompliant(twist(stateSelect = stateSelect));
    parameter StateSelect stateSelect = StateSelect.prefer
      "Should twist and wrel be states?";
    Units.AngularVelocity wrel(start = 0, stateSelect = stateSelect)
      "Speed of b against a";
  equation
    wrel = der(twist);
  end RotCompliantMoving;

  partial model TransTwoFlanges "Two rod ends"
    TransFlange a "Left end";
    TransFlange b "Right end";
  end TransTwoFlanges;

  partial model TransCompliant "Two rod ends that can move against each other"
    extends TransTwoFlanges;
    Units.Length srel(start = 0) "Distance from a to b";
    Units.Force f "Force that pulls the ends together when positive";
  equation
    srel = b.s - a.s;
    b.f = f;
    a.f = -f;
  end TransCompliant;

  partial model TwoHeatPorts "Two places between which heat flows"
    HeatPort a "Left port";
    HeatPort b "Right port";
    Units.HeatFlow Q "Heat flow from a to b";
    Units.TemperatureDifference dT "Temperature of a above that of b";
  equation
    a.Q = Q;
    b.Q = -Q;
    dT = a.T - b.T;
  end TwoHeatPorts;
end Interfaces;
