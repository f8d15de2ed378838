// check: x 2 0.8
// grid: 1e-3
model PulseTrain "Pulses that count their periods and keep the begin of each"
  parameter Real period = 0.5, width = 0.2;
  discrete Integer count(start = 0, fixed = true);
  discrete Real begin(start = 0, fixed = true);
  Real y, x(start = 0, fixed = true);
equation
  when integer(time/period) > pre(count) then
    count = pre(count) + 1;
    begin = time;
  end when;
  y = if time < begin + width then 1 else 0;
  der(x) = y;
end PulseTrain;
