within Takt.Blocks;
package Nonlinear "Blocks that bend or switch signals"
  block Limiter "Keeps a signal within limits"
    extends Interfaces.SingleInOut;
    parameter Real high(start = 1) "Upper limit";
    parameter Real low = -high "Lower limit";
  equation
    assert(high >= low, "The upper limit must not be below the lower one");
    y = smooth(0, if u > high then high elseif u < low then low else u);
  end Limiter;

  block SmoothLimiter "Keeps a signal within +-limit, without a corner"
    extends Interfaces.SingleInOut;
    parameter Real limit(start = 1) "Largest absolute value";
  equation
    y = limit*tanh(u/limit);
  end SmoothLimiter;

  block DeadZone "Nothing happens within the zone"
    extends Interfaces.SingleInOut;
    parameter Real high(start = 1) "Upper end of the zone";
    parameter Real low = -high "Lower end of the zone";
  equation
    y = smooth(0, if u > high then u - high elseif u < low then u - low else 0);
  end DeadZone;

  block Hysteresis "True above one value, false below another"
    parameter Real low(start = 0) "Becomes false below this";
    parameter Real high(start = 1) "Becomes true above this";
    parameter Boolean y0 = false "Output at the start";
    Interfaces.RealInput u "Input";
    Interfaces.BooleanOutput y(start = y0, fixed = true) "Output";
  equation
    assert(high > low, "The upper value must be above the lower one");
    y = u > high or pre(y) and u >= low;
  end Hysteresis;

  block Switch "One of two signals"
    extends Interfaces.DoubleInOut;
    Interfaces.BooleanInput on "True: y = u1, false: y = u2";
  equation
    y = if on then u1 else u2;
  end Switch;
end Nonlinear;
