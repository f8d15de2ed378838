model Plug "A connector of signals at the interface"
  connector Port "What goes in and out"
    input Real u(start = 1);
    output Real y;
  end Port;
  record Data
    parameter Real k = 2;
  end Data;
  Port port;
  Data data "No terminal: nothing passes it";
  Real x(start = 0, fixed = true);
equation
  der(x) = data.k*(port.u - x);
  port.y = x;
  annotation(experiment(StopTime = 1, Interval = 0.01));
end Plug;
