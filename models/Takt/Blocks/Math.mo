within Takt.Blocks;
package Math "Mathematics on signals"
  block Gain "Multiplied by a constant"
    extends Interfaces.SingleInOut;
    parameter Real k(start = 1) "The constant";
  equation
    y = k*u;
  end Gain;

  block Add "Weighted sum of two signals"
    extends Interfaces.DoubleInOut;
    parameter Real k1 = 1 "Weight of u1";
    parameter Real k2 = 1 "Weight of u2";
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Feedback "Difference of two signals"
    extends Interfaces.DoubleInOut;
  equation
    y = u1 - u2;
  end Feedback;

  block Product "Product of two signals"
    extends Interfaces.DoubleInOut;
  equation
    y = u1*u2;
  end Product;

  block Sum "Weighted sum of many signals"
    parameter Integer n(min = 1) = 1 "Number of inputs";
    parameter Real k[n] = ones(n) "Weights";
    Interfaces.RealInput u[n] "Inputs";
    Interfaces.RealOutput y "Output";
  equation
    y = k*u;
  end Sum;

  block MatrixGain "Multiplied by a matrix"
    parameter Real K[:, :] = identity(2) "The matrix";
    Interfaces.RealInput u[size(K, 2)] "Inputs";
    Interfaces.RealOutput y[size(K, 1)] "Outputs";
  equation
    y = K*u;
  end MatrixGain;
end Math;
