within ModelicaServices;
package Types "Choices that depend on the tool"
  type SolverMethod = String
    "Integration method of a clocked continuous-time part" annotation(choices(
      choice = "External" "the method of the simulation",
      choice = "ExplicitEuler" "explicit Euler, order 1",
      choice = "ExplicitMidPoint2" "explicit midpoint rule, order 2",
      choice = "ExplicitRungeKutta4" "classical Runge-Kutta method, order 4",
      choice = "ImplicitEuler" "implicit Euler, order 1",
      choice = "ImplicitTrapezoid" "trapezoidal rule, order 2"));
end Types;
