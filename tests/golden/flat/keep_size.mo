/* A size that an Integer parameter gives is a number where the function stays one. */
model Kept
  parameter Integer n = 12;
  function f
    input Real x[:];
    input Integer m;
    output Real y[m];
  protected
    Real a[m];
  algorithm
    for i in 1:m loop
      a[i] := sum(x[j]*sin(i*x[j]) for j in 1:size(x, 1))/i;
    end for;
    for k in 1:3 loop
      for i in 2:m loop
        a[i] := cos(a[i])*a[i - 1] + exp(-a[i]^2);
      end for;
    end for;
    y := a;
  end f;
  Real x[6] = {time*i for i in 1:6};
  Real y[n] = f(x, n);
end Kept;
