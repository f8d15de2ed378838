model MotorDrive "A motor with current and speed control turns a fan through an elastic shaft"
  import Takt.Blocks;
  import Takt.Electrical;
  import Takt.Rotational;
  Blocks.Sources.SmoothStep wanted(height = 150, duration = 0.1, startTime = 0.05);
  Blocks.Math.Feedback speedError, currentError;
  Blocks.Continuous.PI speedControl(k = 0.8, T = 0.05);
  Blocks.Continuous.PI currentControl(k = 2, T = 4e-3);
  Electrical.SignalVoltage amplifier;
  Electrical.CurrentSensor ammeter;
  Electrical.DcMotor motor(winding(i(start = 0, fixed = true)),
                           rotor(phi(start = 0, fixed = true), w(start = 0, fixed = true)));
  Electrical.Ground ground;
  Rotational.SpeedSensor tachometer;
  Rotational.SpringDamper shaft(c = 500, d = 0.02, stateSelect = StateSelect.avoid);
  Rotational.Inertia fan(J = 2e-3, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Rotational.QuadraticLoad air(torque = 0.5, w0 = 150);
equation
  connect(wanted.y, speedError.u1);
  connect(tachometer.y, speedError.u2);
  connect(speedError.y, speedControl.u);
  connect(speedControl.y, currentError.u1);
  connect(ammeter.y, currentError.u2);
  connect(currentError.y, currentControl.u);
  connect(currentControl.y, amplifier.u);
  connect(amplifier.p, ammeter.p);
  connect(ammeter.n, motor.p);
  connect(motor.n, amplifier.n);
  connect(amplifier.n, ground.p);
  connect(motor.shaft, tachometer.a);
  connect(motor.shaft, shaft.a);
  connect(shaft.b, fan.a);
  connect(fan.b, air.a);
  annotation(experiment(StopTime = 0.5, Interval = 1e-4));
end MotorDrive;
