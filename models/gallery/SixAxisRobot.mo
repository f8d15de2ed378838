model SixAxisRobot "A robot with six controlled axes picks and places: 13 states an axis"
  import Takt.Robots;
  Robots.Arm6 arm "The links";
  Robots.Path path "How far the moves are";
  Robots.Axis axis1(move1 = 1.1, move2 = -1.9,
    gear(n1 = 5, n2 = 18), kv = 0.9);
  Robots.Axis axis2(move1 = 0.7, move2 = -0.4,
    gear(n1 = 6, n2 = 30), kv = 0.9);
  Robots.Axis axis3(move1 = 0.9, move2 = 0.3,
    gear(n1 = 5, n2 = 20, c2 = 6e4, d2 = 130, tau0 = 10, d0 = 8), kv = 0.7);
  Robots.Axis axis4(move1 = -0.8, move2 = 1.5,
    gear(n1 = 4, n2 = 22, Jm = 2e-4, J1 = 6e-4, J2 = 1e-3, c1 = 250, d1 = 0.08,
      c2 = 8e3, d2 = 12, tau0 = 3, d0 = 1.5, dm = 1e-4),
    motor(k = 0.25, R = 1.2, Rw = 0.6, L = 4e-3), kv = 0.12, kc = 3.2, Tc = 4e-3);
  Robots.Axis axis5(move1 = 0.9, move2 = -0.3,
    gear(n1 = 4, n2 = 20, Jm = 2e-4, J1 = 6e-4, J2 = 1e-3, c1 = 250, d1 = 0.08,
      c2 = 8e3, d2 = 12, tau0 = 3, d0 = 1.5, dm = 1e-4),
    motor(k = 0.25, R = 1.2, Rw = 0.6, L = 4e-3), kv = 0.15, kc = 3.2, Tc = 4e-3);
  Robots.Axis axis6(move1 = 1.5, move2 = -2,
    gear(n1 = 4, n2 = 15, Jm = 2e-4, J1 = 6e-4, J2 = 8e-4, c1 = 250, d1 = 0.08,
      c2 = 4e3, d2 = 5, tau0 = 2, d0 = 0.8, dm = 1e-4),
    motor(k = 0.25, R = 1.2, Rw = 0.6, L = 4e-3), kv = 0.12, kc = 3.2, Tc = 4e-3);
  Robots.Supply supply12, supply34, supply56;
  output Takt.Units.Angle q[6] = arm.q "Angles of the joints";
equation
  connect(path.y1, axis1.path1);
  connect(path.y1, axis2.path1);
  connect(path.y1, axis3.path1);
  connect(path.y1, axis4.path1);
  connect(path.y1, axis5.path1);
  connect(path.y1, axis6.path1);
  connect(path.y2, axis1.path2);
  connect(path.y2, axis2.path2);
  connect(path.y2, axis3.path2);
  connect(path.y2, axis4.path2);
  connect(path.y2, axis5.path2);
  connect(path.y2, axis6.path2);
  connect(supply12.link, axis1.link);
  connect(supply12.link, axis2.link);
  connect(supply34.link, axis3.link);
  connect(supply34.link, axis4.link);
  connect(supply56.link, axis5.link);
  connect(supply56.link, axis6.link);
  connect(axis1.joint, arm.flange[1]);
  connect(axis2.joint, arm.flange[2]);
  connect(axis3.joint, arm.flange[3]);
  connect(axis4.joint, arm.flange[4]);
  connect(axis5.joint, arm.flange[5]);
  connect(axis6.joint, arm.flange[6]);
  annotation(experiment(StopTime = 1.8, Interval = 0.001), Documentation(info = "<html>
<p>A six-axis arm of the size of a Manutec r3 takes a load of 12 kg from one
place to another in two moves of all axes. An axis has 13 states:</p>
<ul>
<li>path: the smoothed angle;</li>
<li>position controller: its integral;</li>
<li>speed controller, tachometer and current controller: the capacitor of each
amplifier; current measurement: its filter;</li>
<li>motor: the current of the winding;</li>
<li>gear: angle and speed of the rotor and of the intermediate wheel;</li>
<li>joint: angle and speed.</li>
</ul>
<p>What couples them: the mass matrix of the arm, in which every axis accelerates
every other, and the common supply of two axes each. Algebraic loops are the
accelerations of the arm, the amplifiers with their finite gain, the iron losses
with the supply, and the first stage of each gear, whose loss depends on the
torque it carries.</p>
<p>Time scales: current control 0.5 ms, elastic gears 5 to 100 Hz, position
control 80 ms, its integral 0.5 s.</p>
<p>The plan's <code>algebraic</code> makes it an ODE of 78 states, a DAE with the
torn variables kept, or one of 354 unknowns.</p>
</html>"));
end SixAxisRobot;
