model Arrays
equation
  a = {1, 2, 3};
  a = {{i * j for i in 1:3} for j in 1:2};
  a = {i for i, j in {1, 2}};
  a = [1, 2; 3, 4];
  a = [b];
  a = sum(x[i] for i in 1:n);
  a = b[:, 1, 2:end, end - 1, {1, 3}].c[end];
  a = (f(x))[1, 2];
  a = fill(0, 0);
  a = b[c[end]:end];
end Arrays;
