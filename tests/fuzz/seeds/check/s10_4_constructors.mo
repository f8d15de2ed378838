model M
  constant Integer a[2, 3] = {{i + 10*j for i in 1:3} for j in 1:2};
  constant Integer b[2, 3] = {i + 10*j for i in 1:3, j in 1:2};
  constant Real c[2, 3] = [1, 2, 3; 4.5, 5, 6];
  constant Real d[:] = 0:0.25:1;
  constant Integer e[:] = 5:-2:0;
  constant Integer f[:, :] = cat(2, identity(2), fill(7, 2, 1));
  constant Integer s = sum(i*j for i in 1:3, j in 1:2);
  constant Real m = max(i/2 for i in 1:5);
  constant Integer none = product(i for i in 1:0);
end M;
