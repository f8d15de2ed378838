model Links "A chain of rigid links in space; joint axes z, y, x in turn"
  parameter Integer n = 4;
  constant Real e[3, 3] = [0, 0, 1; 0, 1, 0; 1, 0, 0];
  constant Real l[3] = {1, 0, 0}, c[3] = {0.5, 0, 0}, g[3] = {0, -9.81, 0};
  parameter Real m = 1, I1 = 0.01, I2 = 0.1;
  Real phi[n](each start = 0.3, each fixed = true);
  Real u[n](each start = 0, each fixed = true);
  Real S[n, 3, 3], R[n, 3, 3], w[n, 3], z[n, 3], r[n, 3], v[n, 3], a[n, 3];
  Real F[n, 3], f[n + 1, 3], t[n + 1, 3];
equation
  for i in 1:n loop
    der(phi[i]) = u[i];
    S[i, :, :] = if mod(i, 3) == 1 then
        [cos(phi[i]), sin(phi[i]), 0; -sin(phi[i]), cos(phi[i]), 0; 0, 0, 1]
      elseif mod(i, 3) == 2 then
        [cos(phi[i]), 0, -sin(phi[i]); 0, 1, 0; sin(phi[i]), 0, cos(phi[i])]
      else [1, 0, 0; 0, cos(phi[i]), sin(phi[i]); 0, -sin(phi[i]), cos(phi[i])];
    z[i, :] = der(w[i, :]);
    v[i, :] = der(r[i, :]);
    a[i, :] = der(v[i, :]);
    F[i, :] = m*(R[i, :, :]*(a[i, :] - g) + cross(z[i, :], c)
      + cross(w[i, :], cross(w[i, :], c)));
    e[mod(i - 1, 3) + 1, :]*t[i, :] = 0;
  end for;
  R[1, :, :] = S[1, :, :];
  w[1, :] = e[1, :]*u[1];
  r[1, :] = zeros(3);
  for i in 2:n loop
    R[i, :, :] = S[i, :, :]*R[i - 1, :, :];
    w[i, :] = S[i, :, :]*w[i - 1, :] + e[mod(i - 1, 3) + 1, :]*u[i];
    r[i, :] = r[i - 1, :] + transpose(R[i - 1, :, :])*l;
  end for;
  f[n + 1, :] = zeros(3);
  t[n + 1, :] = zeros(3);
  f[n, :] = F[n, :];
  t[n, :] = diagonal({I1, I2, I2})*z[n, :] + cross(c, F[n, :])
    + cross(w[n, :], diagonal({I1, I2, I2})*w[n, :]);
  for i in 1:n - 1 loop
    f[i, :] = F[i, :] + transpose(S[i + 1, :, :])*f[i + 1, :];
    t[i, :] = diagonal({I1, I2, I2})*z[i, :] + cross(c, F[i, :])
      + cross(w[i, :], diagonal({I1, I2, I2})*w[i, :])
      + transpose(S[i + 1, :, :])*t[i + 1, :]
      + cross(l, transpose(S[i + 1, :, :])*f[i + 1, :]);
  end for;
end Links;
