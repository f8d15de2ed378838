within Takt;
package Units "Quantities and their units"
  type Time = Real(final quantity = "Time", final unit = "s");
  type Frequency = Real(final quantity = "Frequency", final unit = "Hz");
  type Efficiency = Real(final quantity = "Efficiency", final unit = "1", min = 0, max = 1);

  // mechanics
  type Length = Real(final quantity = "Length", final unit = "m");
  type Area = Real(final quantity = "Area", final unit = "m2");
  type Position = Real(final quantity = "Length", final unit = "m");
  type Velocity = Real(final quantity = "Velocity", final unit = "m/s");
  type Acceleration = Real(final quantity = "Acceleration", final unit = "m/s2");
  type Mass = Real(final quantity = "Mass", final unit = "kg", min = 0);
  type Density = Real(final quantity = "Density", final unit = "kg/m3", min = 0);
  type Force = Real(final quantity = "Force", final unit = "N");
  type Stiffness = Real(final quantity = "TranslationalSpringConstant", final unit = "N/m", min = 0);
  type Damping = Real(final quantity = "TranslationalDampingConstant", final unit = "N.s/m", min = 0);
  type Angle = Real(final quantity = "Angle", final unit = "rad", displayUnit = "deg");
  type AngularVelocity = Real(final quantity = "AngularVelocity", final unit = "rad/s");
  type AngularAcceleration = Real(final quantity = "AngularAcceleration", final unit = "rad/s2");
  type Inertia = Real(final quantity = "MomentOfInertia", final unit = "kg.m2", min = 0);
  type Torque = Real(final quantity = "Torque", final unit = "N.m");
  type RotationalStiffness = Real(final quantity = "RotationalSpringConstant", final unit = "N.m/rad", min = 0);
  type RotationalDamping = Real(final quantity = "RotationalDampingConstant", final unit = "N.m.s/rad", min = 0);
  type Power = Real(final quantity = "Power", final unit = "W");
  type Energy = Real(final quantity = "Energy", final unit = "J");

  // electricity
  type Voltage = Real(final quantity = "ElectricPotential", final unit = "V");
  type Current = Real(final quantity = "ElectricCurrent", final unit = "A");
  type Charge = Real(final quantity = "ElectricCharge", final unit = "C");
  type Resistance = Real(final quantity = "Resistance", final unit = "Ohm");
  type Conductance = Real(final quantity = "Conductance", final unit = "S");
  type Capacitance = Real(final quantity = "Capacitance", final unit = "F", min = 0);
  type Inductance = Real(final quantity = "Inductance", final unit = "H");
  type MotorConstant = Real(final quantity = "ElectricalTorqueConstant", final unit = "N.m/A");

  // heat
  type Temperature = Real(final quantity = "ThermodynamicTemperature", final unit = "K", min = 0, start = 293.15, nominal = 300, displayUnit = "degC");
  type TemperatureDifference = Real(final quantity = "TemperatureDifference", final unit = "K");
  type HeatFlow = Real(final quantity = "Power", final unit = "W");
  type HeatCapacity = Real(final quantity = "HeatCapacity", final unit = "J/K", min = 0);
  type SpecificHeatCapacity = Real(final quantity = "SpecificHeatCapacity", final unit = "J/(kg.K)", min = 0);
  type ThermalConductance = Real(final quantity = "ThermalConductance", final unit = "W/K", min = 0);
  type ThermalConductivity = Real(final quantity = "ThermalConductivity", final unit = "W/(m.K)", min = 0);
  type TemperatureCoefficient = Real(final quantity = "LinearTemperatureCoefficient", final unit = "1/K");
end Units;
