// check: x[1] 3.9 1.4058000000000006
// grid: 0.02
model ImpactChain "four masses 1, 2, 1/2, 3 in a row, walls at both ends, restitution 0.9"
  parameter Real m[4] = {1, 2, 0.5, 3}, e = 0.9;
  Real x[4](start = {0.2, 0.8, 1.5, 2.4}, each fixed = true), v[4](start = {1, -0.3, 0.7, -0.2}, each fixed = true);
equation
  der(x) = v;
  der(v) = zeros(4);
  when x[1] <= 0 and v[1] < 0 then
    reinit(v[1], -e*pre(v[1]));
  end when;
  when x[4] >= 3 and v[4] > 0 then
    reinit(v[4], -e*pre(v[4]));
  end when;
  for k in 1:3 loop
    when x[k] >= x[k + 1] and v[k] > v[k + 1] then
      reinit(v[k], (m[k]*pre(v[k]) + m[k + 1]*pre(v[k + 1]) - m[k + 1]*e*(pre(v[k]) - pre(v[k + 1])))/(m[k] + m[k + 1]));
      reinit(v[k + 1], (m[k]*pre(v[k]) + m[k + 1]*pre(v[k + 1]) + m[k]*e*(pre(v[k]) - pre(v[k + 1])))/(m[k] + m[k + 1]));
    end when;
  end for;
end ImpactChain;
