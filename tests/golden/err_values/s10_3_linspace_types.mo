model M
  constant Real a[3] = linspace("0", 1, 3);
  constant Real b[3] = linspace(0, {1, 2}, 3);
  constant Real c[3] = linspace(0, 1, 3.0);
end M;
