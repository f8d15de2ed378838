model ResistorGrid "A plate of 4 by 4 nodes: resistors between neighbours, a diode and a capacitor to ground at each"
  import Takt.Electrical.*;
  parameter Integer n = 4;
  Resistor right[n, n - 1](each R = 100), down[n - 1, n](each R = 150);
  Capacitor store[n, n](each C = 1e-6, each v(start = 0, fixed = true));
  Diode leak[n, n](each Is = 1e-9);
  SineVoltage source(V = 3, f = 200);
  Resistor lead(R = 50);
  Ground ground;
equation
  connect(source.n, ground.p);
  connect(source.p, lead.p);
  connect(lead.n, store[1, 1].p);
  for i in 1:n loop
    for j in 1:n loop
      connect(store[i, j].n, ground.p);
      connect(leak[i, j].n, ground.p);
      connect(leak[i, j].p, store[i, j].p);
    end for;
    for j in 1:n - 1 loop
      connect(right[i, j].p, store[i, j].p);
      connect(right[i, j].n, store[i, j + 1].p);
      connect(down[j, i].p, store[j, i].p);
      connect(down[j, i].n, store[j + 1, i].p);
    end for;
  end for;
  annotation(experiment(StopTime = 0.01, Interval = 1e-5));
end ResistorGrid;
