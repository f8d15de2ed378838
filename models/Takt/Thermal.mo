within Takt;
package Thermal "Heat that is stored and flows"
  model HeatCapacitor "A body of one temperature"
    parameter Units.HeatCapacity C(start = 1) "Heat capacity";
    Units.Temperature T(start = 293.15) "Temperature";
    Interfaces.HeatPort a "Port";
  equation
    T = a.T;
    C*der(T) = a.Q;
  end HeatCapacitor;

  model Conductor "Heat flow in proportion to the difference of temperature"
    extends Interfaces.TwoHeatPorts;
    parameter Units.ThermalConductance G(start = 1) "Conductance";
  equation
    Q = G*dT;
  end Conductor;

  model Convection "Heat transfer to a fluid; the conductance is a signal"
    extends Interfaces.TwoHeatPorts;
    Interfaces.RealInput G(unit = "W/K") "Conductance";
  equation
    Q = G*dT;
  end Convection;

  model Radiation "Heat exchanged by radiation"
    extends Interfaces.TwoHeatPorts;
    parameter Units.Area A(start = 1) "Area";
    parameter Real eps(min = 0, max = 1) = 0.9 "Emissivity";
  equation
    Q = eps*A*Constants.sigma*(a.T^4 - b.T^4);
  end Radiation;

  model Rod "A rod in n pieces: capacities in the middle, conductances between"
    parameter Integer n(min = 1) = 10 "Number of pieces";
    parameter Units.Length l(start = 1) "Length";
    parameter Units.Area A(start = 1e-4) "Cross section";
    parameter Units.Density rho = 7850 "Density";
    parameter Units.SpecificHeatCapacity c = 490 "Specific heat capacity";
    parameter Units.ThermalConductivity lambda = 45 "Conductivity";
    parameter Units.Temperature T0 = 293.15 "Temperature at the start";
    Interfaces.HeatPort a "Left end";
    Interfaces.HeatPort b "Right end";
    HeatCapacitor piece[n](each C = rho*c*A*l/n, each T(start = T0, fixed = true)) "Pieces";
    Conductor link[n - 1](each G = lambda*A*n/l) "Between neighbours";
    Conductor left(G = 2*lambda*A*n/l) "From the left end to the first middle";
    Conductor right(G = 2*lambda*A*n/l) "From the last middle to the right end";
  equation
    connect(a, left.a);
    connect(left.b, piece[1].a);
    for k in 1:n - 1 loop
      connect(piece[k].a, link[k].a);
      connect(link[k].b, piece[k + 1].a);
    end for;
    connect(piece[n].a, right.a);
    connect(right.b, b);
  end Rod;

  // --- sources ---

  model FixedTemperature "A place of constant temperature"
    parameter Units.Temperature T(start = 293.15) "Temperature";
    Interfaces.HeatPort a "Port";
  equation
    a.T = T;
  end FixedTemperature;

  model SignalTemperature "A temperature by signal"
    Interfaces.RealInput u(unit = "K") "Temperature";
    Interfaces.HeatPort a "Port";
  equation
    a.T = u;
  end SignalTemperature;

  model FixedHeatFlow "A constant heat flow"
    parameter Units.HeatFlow Q(start = 1) "Heat flow out of the port";
    Interfaces.HeatPort a "Port";
  equation
    a.Q = -Q;
  end FixedHeatFlow;

  model SignalHeatFlow "A heat flow by signal"
    Interfaces.RealInput u(unit = "W") "Heat flow out of the port";
    Interfaces.HeatPort a "Port";
  equation
    a.Q = -u;
  end SignalHeatFlow;

  // --- sensors ---

  model TemperatureSensor "Temperature of a place"
    Interfaces.HeatPort a "Port";
    Interfaces.RealOutput y(unit = "K") "Temperature";
  equation
    a.Q = 0;
    y = a.T;
  end TemperatureSensor;

  model HeatFlowSensor "Heat flow between two places"
    Interfaces.HeatPort a "Left port";
    Interfaces.HeatPort b "Right port";
    Interfaces.RealOutput y(unit = "W") "Heat flow from a to b";
  equation
    a.T = b.T;
    a.Q = y;
    b.Q = -y;
  end HeatFlowSensor;
end Thermal;
