model GroupChain "n groups of index 2, turned in rows and columns, coupled to their neighbours"
  // y1 = c x1 - s x2, z = s x1 + c x2, y2 = c z - s x3, y3 = s z + c x3, written out below:
  // y1 = sin(t + p), y2 = y1' = cos(t + p), y3 = cos(t + 2 p)
  parameter Integer n = 26;
  parameter Boolean both = true "coupled to both neighbours";
  parameter Real d = 0 "coupled by derivatives too";
  final parameter Real w = 0.8;
  final parameter Real p[n] = {0.3 + 0.9*mod(7*i, 11)/11 for i in 1:n};
  final parameter Real z0[n] = {cos(p[i])^2 + sin(p[i])*cos(2*p[i]) for i in 1:n};
  Real x[n, 3](start = {{(cos(p[i]) + z0[i])*sin(p[i]), cos(p[i])*z0[i] - sin(p[i])^2,
    cos(p[i])*cos(2*p[i]) - sin(p[i])*cos(p[i])} for i in 1:n});
  Real c[n], s[n];
equation
  for i in 1:n loop
    c[i] = cos(w*time + p[i]);
    s[i] = sin(w*time + p[i]);
    0 = c[i]*((c[i]*x[i, 1] - s[i]*x[i, 2]) - sin(time + p[i])) - s[i]*((c[i]*der(x[i, 1]) -
      s[i]*der(x[i, 2]) - w*(s[i]*x[i, 1] + c[i]*x[i, 2])) - (c[i]*(s[i]*x[i, 1] + c[i]*x[i, 2]) -
      s[i]*x[i, 3]) + 0.2*((c[i]*x[i, 1] - s[i]*x[i, 2])^2 - sin(time + p[i])^2) + 0.1*((if i > 1
      then ((s[max(i - 1, 1)]*(s[max(i - 1, 1)]*x[max(i - 1, 1), 1] + c[max(i - 1, 1)]*x[max(i - 1,
      1), 2]) + c[max(i - 1, 1)]*x[max(i - 1, 1), 3]) - cos(time + 2*p[max(i - 1, 1)])) else 0) +
      (if both and i < n then ((s[min(i + 1, n)]*(s[min(i + 1, n)]*x[min(i + 1, n), 1] + c[min(i +
      1, n)]*x[min(i + 1, n), 2]) + c[min(i + 1, n)]*x[min(i + 1, n), 3]) - cos(time + 2*p[min(i +
      1, n)])) else 0)));
    0 = s[i]*((c[i]*x[i, 1] - s[i]*x[i, 2]) - sin(time + p[i])) + c[i]*((c[i]*der(x[i, 1]) -
      s[i]*der(x[i, 2]) - w*(s[i]*x[i, 1] + c[i]*x[i, 2])) - (c[i]*(s[i]*x[i, 1] + c[i]*x[i, 2]) -
      s[i]*x[i, 3]) + 0.2*((c[i]*x[i, 1] - s[i]*x[i, 2])^2 - sin(time + p[i])^2) + 0.1*((if i > 1
      then ((s[max(i - 1, 1)]*(s[max(i - 1, 1)]*x[max(i - 1, 1), 1] + c[max(i - 1, 1)]*x[max(i - 1,
      1), 2]) + c[max(i - 1, 1)]*x[max(i - 1, 1), 3]) - cos(time + 2*p[max(i - 1, 1)])) else 0) +
      (if both and i < n then ((s[min(i + 1, n)]*(s[min(i + 1, n)]*x[min(i + 1, n), 1] + c[min(i +
      1, n)]*x[min(i + 1, n), 2]) + c[min(i + 1, n)]*x[min(i + 1, n), 3]) - cos(time + 2*p[min(i +
      1, n)])) else 0))) + 0.3*((s[i]*(s[i]*der(x[i, 1]) + c[i]*der(x[i, 2]) + w*(c[i]*x[i, 1] -
      s[i]*x[i, 2])) + c[i]*der(x[i, 3]) + w*(c[i]*(s[i]*x[i, 1] + c[i]*x[i, 2]) - s[i]*x[i, 3])) +
      0.5*(s[i]*(s[i]*x[i, 1] + c[i]*x[i, 2]) + c[i]*x[i, 3]) + sin(time + 2*p[i]) - 0.5*cos(time +
      2*p[i]) + 0.1*((if i > 1 then ((s[max(i - 1, 1)]*(s[max(i - 1, 1)]*x[max(i - 1, 1), 1] +
      c[max(i - 1, 1)]*x[max(i - 1, 1), 2]) + c[max(i - 1, 1)]*x[max(i - 1, 1), 3]) - cos(time +
      2*p[max(i - 1, 1)])) else 0) + (if both and i < n then ((s[min(i + 1, n)]*(s[min(i + 1,
      n)]*x[min(i + 1, n), 1] + c[min(i + 1, n)]*x[min(i + 1, n), 2]) + c[min(i + 1, n)]*x[min(i +
      1, n), 3]) - cos(time + 2*p[min(i + 1, n)])) else 0))*(1 + 0.3*(s[i]*(s[i]*x[i, 1] + c[i]*x[i,
      2]) + c[i]*x[i, 3])) + d*((if i > 1 then ((s[max(i - 1, 1)]*(s[max(i - 1, 1)]*der(x[max(i - 1,
      1), 1]) + c[max(i - 1, 1)]*der(x[max(i - 1, 1), 2]) + w*(c[max(i - 1, 1)]*x[max(i - 1, 1), 1]
      - s[max(i - 1, 1)]*x[max(i - 1, 1), 2])) + c[max(i - 1, 1)]*der(x[max(i - 1, 1), 3]) +
      w*(c[max(i - 1, 1)]*(s[max(i - 1, 1)]*x[max(i - 1, 1), 1] + c[max(i - 1, 1)]*x[max(i - 1, 1),
      2]) - s[max(i - 1, 1)]*x[max(i - 1, 1), 3])) + sin(time + 2*p[max(i - 1, 1)])) else 0) + (if
      both and i < n then ((s[min(i + 1, n)]*(s[min(i + 1, n)]*der(x[min(i + 1, n), 1]) + c[min(i +
      1, n)]*der(x[min(i + 1, n), 2]) + w*(c[min(i + 1, n)]*x[min(i + 1, n), 1] - s[min(i + 1,
      n)]*x[min(i + 1, n), 2])) + c[min(i + 1, n)]*der(x[min(i + 1, n), 3]) + w*(c[min(i + 1,
      n)]*(s[min(i + 1, n)]*x[min(i + 1, n), 1] + c[min(i + 1, n)]*x[min(i + 1, n), 2]) - s[min(i +
      1, n)]*x[min(i + 1, n), 3])) + sin(time + 2*p[min(i + 1, n)])) else 0)));
    0 = 0.4*(s[i]*((c[i]*x[i, 1] - s[i]*x[i, 2]) - sin(time + p[i])) + c[i]*((c[i]*der(x[i, 1]) -
      s[i]*der(x[i, 2]) - w*(s[i]*x[i, 1] + c[i]*x[i, 2])) - (c[i]*(s[i]*x[i, 1] + c[i]*x[i, 2]) -
      s[i]*x[i, 3]) + 0.2*((c[i]*x[i, 1] - s[i]*x[i, 2])^2 - sin(time + p[i])^2) + 0.1*((if i > 1
      then ((s[max(i - 1, 1)]*(s[max(i - 1, 1)]*x[max(i - 1, 1), 1] + c[max(i - 1, 1)]*x[max(i - 1,
      1), 2]) + c[max(i - 1, 1)]*x[max(i - 1, 1), 3]) - cos(time + 2*p[max(i - 1, 1)])) else 0) +
      (if both and i < n then ((s[min(i + 1, n)]*(s[min(i + 1, n)]*x[min(i + 1, n), 1] + c[min(i +
      1, n)]*x[min(i + 1, n), 2]) + c[min(i + 1, n)]*x[min(i + 1, n), 3]) - cos(time + 2*p[min(i +
      1, n)])) else 0)))) + ((s[i]*(s[i]*der(x[i, 1]) + c[i]*der(x[i, 2]) + w*(c[i]*x[i, 1] -
      s[i]*x[i, 2])) + c[i]*der(x[i, 3]) + w*(c[i]*(s[i]*x[i, 1] + c[i]*x[i, 2]) - s[i]*x[i, 3])) +
      0.5*(s[i]*(s[i]*x[i, 1] + c[i]*x[i, 2]) + c[i]*x[i, 3]) + sin(time + 2*p[i]) - 0.5*cos(time +
      2*p[i]) + 0.1*((if i > 1 then ((s[max(i - 1, 1)]*(s[max(i - 1, 1)]*x[max(i - 1, 1), 1] +
      c[max(i - 1, 1)]*x[max(i - 1, 1), 2]) + c[max(i - 1, 1)]*x[max(i - 1, 1), 3]) - cos(time +
      2*p[max(i - 1, 1)])) else 0) + (if both and i < n then ((s[min(i + 1, n)]*(s[min(i + 1,
      n)]*x[min(i + 1, n), 1] + c[min(i + 1, n)]*x[min(i + 1, n), 2]) + c[min(i + 1, n)]*x[min(i +
      1, n), 3]) - cos(time + 2*p[min(i + 1, n)])) else 0))*(1 + 0.3*(s[i]*(s[i]*x[i, 1] + c[i]*x[i,
      2]) + c[i]*x[i, 3])) + d*((if i > 1 then ((s[max(i - 1, 1)]*(s[max(i - 1, 1)]*der(x[max(i - 1,
      1), 1]) + c[max(i - 1, 1)]*der(x[max(i - 1, 1), 2]) + w*(c[max(i - 1, 1)]*x[max(i - 1, 1), 1]
      - s[max(i - 1, 1)]*x[max(i - 1, 1), 2])) + c[max(i - 1, 1)]*der(x[max(i - 1, 1), 3]) +
      w*(c[max(i - 1, 1)]*(s[max(i - 1, 1)]*x[max(i - 1, 1), 1] + c[max(i - 1, 1)]*x[max(i - 1, 1),
      2]) - s[max(i - 1, 1)]*x[max(i - 1, 1), 3])) + sin(time + 2*p[max(i - 1, 1)])) else 0) + (if
      both and i < n then ((s[min(i + 1, n)]*(s[min(i + 1, n)]*der(x[min(i + 1, n), 1]) + c[min(i +
      1, n)]*der(x[min(i + 1, n), 2]) + w*(c[min(i + 1, n)]*x[min(i + 1, n), 1] - s[min(i + 1,
      n)]*x[min(i + 1, n), 2])) + c[min(i + 1, n)]*der(x[min(i + 1, n), 3]) + w*(c[min(i + 1,
      n)]*(s[min(i + 1, n)]*x[min(i + 1, n), 1] + c[min(i + 1, n)]*x[min(i + 1, n), 2]) - s[min(i +
      1, n)]*x[min(i + 1, n), 3])) + sin(time + 2*p[min(i + 1, n)])) else 0)));
  end for;
  annotation(experiment(StopTime = 1));
end GroupChain;
