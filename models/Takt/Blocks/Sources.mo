within Takt.Blocks;
package Sources "Signals that depend on time only"
  block Constant "Always the same value"
    extends Interfaces.Source;
    parameter Real k(start = 1) "The value";
  equation
    y = k;
  end Constant;

  block Step "Jumps at a given time"
    extends Interfaces.Source;
    parameter Real height = 1 "How far it jumps";
    parameter Real offset = 0 "Value before the jump";
    parameter Units.Time startTime = 0 "Time of the jump";
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Ramp "Rises from one value to another in a given time"
    extends Interfaces.Source;
    parameter Real height = 1 "How far it rises";
    parameter Units.Time duration(min = 1e-12) = 1 "How long it takes";
    parameter Real offset = 0 "Value before";
    parameter Units.Time startTime = 0 "When it begins";
  equation
    y = offset + (if time < startTime then 0
                  elseif time < startTime + duration then (time - startTime)*height/duration
                  else height);
  end Ramp;

  block SmoothStep "Rises from one value to another with a continuous slope"
    extends Interfaces.Source;
    parameter Real height = 1 "How far it rises";
    parameter Units.Time duration(min = 1e-12) = 1 "How long it takes";
    parameter Real offset = 0 "Value before";
    parameter Units.Time startTime = 0 "When it begins";
  protected
    Real x "Part of the duration that has passed, 0 to 1";
  equation
    x = noEvent(max(0, min(1, (time - startTime)/duration)));
    y = offset + height*x^2*(3 - 2*x);
  end SmoothStep;

  block Sine "A sine wave"
    extends Interfaces.Source;
    parameter Real amplitude = 1 "Amplitude";
    parameter Units.Frequency f(start = 1) "Frequency";
    parameter Units.Angle phase = 0 "Phase at the start";
    parameter Real offset = 0 "Mean value";
  equation
    y = offset + amplitude*sin(2*Constants.pi*f*time + phase);
  end Sine;

  block Pulse "On and off at a fixed beat"
    extends Interfaces.Source;
    parameter Real amplitude = 1 "Value above the offset while it is on";
    parameter Real duty(min = 0, max = 1) = 0.5 "Part of the period it is on";
    parameter Units.Time period(min = 1e-12) = 1 "Period";
    parameter Real offset = 0 "Value while it is off";
    parameter Units.Time startTime = 0 "Begin of the first period";
  protected
    discrete Units.Time begin(start = startTime, fixed = true) "Begin of this period";
  equation
    when sample(startTime, period) then
      begin = time;
    end when;
    y = offset + (if time >= startTime and time < begin + duty*period then amplitude else 0);
  end Pulse;

  block BooleanPulse "True and false at a fixed beat"
    parameter Real duty(min = 0, max = 1) = 0.5 "Part of the period it is true";
    parameter Units.Time period(min = 1e-12) = 1 "Period";
    parameter Units.Time startTime = 0 "Begin of the first period";
    Interfaces.BooleanOutput y "Output";
  protected
    discrete Units.Time begin(start = startTime, fixed = true) "Begin of this period";
  equation
    when sample(startTime, period) then
      begin = time;
    end when;
    y = time >= startTime and time < begin + duty*period;
  end BooleanPulse;

  block BooleanStep "Becomes true at a given time"
    parameter Units.Time startTime = 0 "When";
    Interfaces.BooleanOutput y "Output";
  equation
    y = time >= startTime;
  end BooleanStep;

  block Table "Straight lines between given points"
    extends Interfaces.Source;
    parameter Real points[:, 2] = [0, 0; 1, 1]
      "Each row a time and a value; times rise. Constant before and after";
  protected
    parameter Integer n = size(points, 1);
  equation
    y = points[1, 2] + sum(
      (points[k + 1, 2] - points[k, 2])
        *noEvent(max(0, min(1, (time - points[k, 1])/(points[k + 1, 1] - points[k, 1]))))
      for k in 1:n - 1);
  end Table;
end Sources;
