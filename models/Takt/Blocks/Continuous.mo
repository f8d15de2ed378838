within Takt.Blocks;
package Continuous "Blocks with states"
  block Integrator "y' = k u"
    extends Interfaces.SingleInOut(y(start = y0, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Real y0 = 0 "Output at the start";
  equation
    der(y) = k*u;
  end Integrator;

  block FirstOrder "k/(T s + 1)"
    extends Interfaces.SingleInOut(y(start = y0, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Units.Time T(start = 1, min = 1e-12) "Time constant";
    parameter Real y0 = 0 "Output at the start";
  equation
    T*der(y) = k*u - y;
  end FirstOrder;

  block SecondOrder "k/((s/w)^2 + 2 D s/w + 1)"
    extends Interfaces.SingleInOut(y(start = y0, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Units.AngularVelocity w(start = 1) "Natural frequency";
    parameter Real D(start = 1) "Damping ratio";
    parameter Real y0 = 0 "Output at the start";
    Real yd(start = 0, fixed = true) "Derivative of the output";
  equation
    der(y) = yd;
    der(yd) = w*(w*(k*u - y) - 2*D*yd);
  end SecondOrder;

  block Derivative "Approximate derivative k s/(T s + 1)"
    extends Interfaces.SingleInOut;
    parameter Real k = 1 "Gain";
    parameter Units.Time T(min = 1e-12) = 0.01 "Time constant";
    parameter Real x0 = 0 "Input the block has seen before the start";
    Real x(start = x0, fixed = true) "Delayed input";
  equation
    T*der(x) = u - x;
    y = k*(u - x)/T;
  end Derivative;

  block PI "k (1 + 1/(T s))"
    extends Interfaces.SingleInOut;
    parameter Real k = 1 "Gain";
    parameter Units.Time T(start = 1, min = 1e-12) "Integral time";
    parameter Real x0 = 0 "Integral at the start";
    Real x(start = x0, fixed = true) "Integral of u/T";
  equation
    T*der(x) = u;
    y = k*(x + u);
  end PI;

  block PID "PID controller with a filtered derivative"
    extends Interfaces.SingleInOut;
    parameter Real k = 1 "Gain";
    parameter Units.Time Ti(min = 1e-12) = 1 "Integral time";
    parameter Units.Time Td(min = 0) = 0.1 "Derivative time";
    parameter Real N(min = 1e-6) = 10 "The derivative is filtered with Td/N";
    PI pi(k = 1, T = Ti) "Proportional and integral part";
    Derivative d(k = Td, T = max(Td/N, 1e-9)) "Derivative part";
  equation
    connect(u, pi.u);
    connect(u, d.u);
    y = k*(pi.y + d.y);
  end PID;

  block StateSpace "x' = A x + B u, y = C x + D u"
    parameter Real A[:, size(A, 1)] = [0, 1; -1, -1] "System matrix";
    parameter Real B[size(A, 1), :] = [0; 1] "Input matrix";
    parameter Real C[:, size(A, 1)] = [1, 0] "Output matrix";
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2))
      "Feed-through";
    parameter Real x0[size(A, 1)] = zeros(size(A, 1)) "State at the start";
    Interfaces.RealInput u[size(B, 2)] "Inputs";
    Interfaces.RealOutput y[size(C, 1)] "Outputs";
    Real x[size(A, 1)](start = x0, each fixed = true) "State";
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
  end StateSpace;

  block TransferFunction "b(s)/a(s) in controller form, highest power first"
    extends Interfaces.SingleInOut;
    parameter Real b[:] = {1} "Numerator";
    parameter Real a[:] = {1, 1} "Denominator, of degree 1 at least";
    final parameter Integer n = size(a, 1) - 1 "Number of states";
    Real x[n](each start = 0, each fixed = true) "States";
  protected
    parameter Real bb[n + 1] = cat(1, zeros(n + 1 - size(b, 1)), b)
      "Numerator, as long as the denominator";
    parameter Real d = bb[1]/a[1] "Feed-through";
  equation
    assert(size(b, 1) <= size(a, 1), "The numerator must not have the higher degree");
    der(x[1]) = (u - a[2:n + 1]*x)/a[1];
    der(x[2:n]) = x[1:n - 1];
    y = d*u + (bb[2:n + 1] - d*a[2:n + 1])*x;
  end TransferFunction;
end Continuous;
