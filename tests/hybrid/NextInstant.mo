// check: x 2 4.5
// grid: 1e-3
model NextInstant "A source that knows its next instant, as time tables do"
  parameter Real instant[4] = {0.5, 1.0, 1.5, 2.0};
  discrete Real next(start = 0.5, fixed = true);
  discrete Integer n(start = 0, fixed = true);
  Boolean late "nobody asks for its value before";
  Real x(start = 0, fixed = true);
equation
  when time >= pre(next) then
    n = pre(n) + 1;
    next = if n < 4 then instant[min(n + 1, 4)] else 1e9;
  end when;
  late = time >= 1.25;
  der(x) = (if n > 1 then 2 else 1)*(if late then 1 else 2);
end NextInstant;
