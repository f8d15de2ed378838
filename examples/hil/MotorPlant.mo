model MotorPlant "What hardware would be connected to: a motor turns a fan through an elastic shaft"
  import Takt.Electrical;
  import Takt.Rotational;
  input Takt.Units.Voltage voltage(start = 0, min = -60, max = 60) "Of the amplifier";
  output Takt.Units.AngularVelocity speed = tachometer.y "Of the motor";
  output Takt.Units.Current current = motor.i;
  Electrical.SignalVoltage amplifier;
  Electrical.DcMotor motor(winding(i(start = 0, fixed = true)),
                           rotor(phi(start = 0, fixed = true), w(start = 0, fixed = true)));
  Electrical.Ground ground;
  Rotational.SpeedSensor tachometer;
  Rotational.SpringDamper shaft(c = 500, d = 0.02, stateSelect = StateSelect.avoid);
  Rotational.Inertia fan(J = 2e-3, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Rotational.QuadraticLoad air(torque = 0.5, w0 = 150);
equation
  amplifier.u = voltage;
  connect(amplifier.p, motor.p);
  connect(motor.n, amplifier.n);
  connect(amplifier.n, ground.p);
  connect(motor.shaft, tachometer.a);
  connect(motor.shaft, shaft.a);
  connect(shaft.b, fan.a);
  connect(fan.b, air.a);
  annotation(experiment(StopTime = 3, Interval = 1e-3));
end MotorPlant;
