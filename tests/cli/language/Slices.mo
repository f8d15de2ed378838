model Slices "slices on both sides, matrix equations, solve in an algorithm"
  Real A[3, 3] = [4, 1, 0; 1, 3, 1; 0, 1, 2], x[3], b[3] = {time, 1, 2}, B[2, 3], C[4], d[2, 2];
  Real v[5](start = {1, 2, 3, 4, 5}, each fixed = true), n;
  parameter Integer idx[2] = {3, 1};
equation
  A*x = b;
  B[:, idx] = [1, 2; 3, 4]*time;
  B[:, 2] = {7, 8};
  der(v[1:2:5]) = -v[{1, 3, 5}];
  der(v[2:2:end]) = zeros(2);
  n = max(abs(A*x - b));
algorithm
  C := zeros(4);
  for i in 1:2, j in 1:2 loop
    C[2*(i - 1) + j] := i*10 + j*time;
  end for;
  C[end] := C[end - 1] + C[1];
  d := matrix([C[1:2], C[3:4]]);
equation
  assert(n < 1e-10, "solve");
  assert(B[2, 3] == 3*time and B[2, 1] == 4*time and B[1, 2] == 7, "B");
  assert(abs(v[5] - 5*exp(-time)) < 1e-4 and v[4] == 4, "v");
  assert(abs(C[4] - (20 + time + 10 + time)) < 1e-12 and abs(d[2, 2] - C[4]) < 1e-12, "C");
end Slices;
