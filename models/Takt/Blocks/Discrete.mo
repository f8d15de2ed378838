within Takt.Blocks;
package Discrete "Blocks with a clock of their own"
  partial block Sampled "An input, an output and a period"
    extends Interfaces.SingleInOut;
    parameter Units.Time period(start = 0.1, min = 1e-12) "Time between two samples";
    parameter Units.Time startTime = 0 "First sample";
  protected
    Boolean tick "True at a sample";
  equation
    tick = sample(startTime, period);
  end Sampled;

  block Hold "Samples the input and holds it"
    extends Sampled(y(start = 0, fixed = true));
  equation
    when tick then
      y = u;
    end when;
  end Hold;

  block UnitDelay "The input one sample ago"
    extends Sampled(y(start = 0, fixed = true));
  protected
    discrete Real last(start = 0, fixed = true) "Input at the last sample";
  equation
    when tick then
      last = u;
      y = pre(last);
    end when;
  end UnitDelay;

  block SampledPI "PI controller that runs at a fixed beat"
    extends Sampled(y(start = 0, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Units.Time Ti(start = 1, min = 1e-12) "Integral time";
  protected
    discrete Real x(start = 0, fixed = true) "Integral";
  equation
    when tick then
      x = pre(x) + period/Ti*u;
      y = k*(x + u);
    end when;
  end SampledPI;
end Discrete;
