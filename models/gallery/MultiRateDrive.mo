/* MultiRateDrive.mo - a motor with controllers at three rates.
 *
 * The current is controlled every 50 us, the speed every 1 ms, and every 100 ms
 * the winding temperature decides how much current is allowed. The clocks are
 * said once; everything else has the clock of what it is connected with.
 */
model MultiRateDrive "DC motor: current 50 us, speed 1 ms, temperature 100 ms"
  parameter Real R = 0.5 "resistance, Ohm";
  parameter Real L = 2e-3 "inductance, H";
  parameter Real k = 0.08 "torque constant, N m/A";
  parameter Real J = 4e-4 "inertia, kg m2";
  parameter Real C = 1.5 "heat capacity of the winding, J/K";
  parameter Real G = 0.8 "heat conductance to the air, W/K";
  parameter Real Vmax = 48 "supply, V";
  parameter Real Imax = 20 "current when cold, A";
  parameter Real Tmax = 30 "temperature rise from which on current is cut, K";

  /* the plant */
  Real i(start = 0, fixed = true) "current, A";
  Real w(start = 0, fixed = true) "speed, rad/s";
  Real T(start = 0, fixed = true) "temperature rise of the winding, K";
  Real v "voltage, V";
  Real load = (if time > 1 then 6e-3 else 1e-3)*w "torque of the load, N m";
  Real wish = if time > 0.1 then 200 else 0 "speed that is asked for, rad/s";

  /* the clocks */
  Clock fast = Clock(1, 20000) "50 us";
  Clock middle = subSample(fast, 20) "1 ms";
  Clock slow = subSample(middle, 100) "100 ms";

  /* temperature: less current the hotter it is */
  Real Ts "sampled temperature";
  Real allowed(start = 20) "largest current";
  /* speed: PI with a limit */
  Real ws, es "sampled speed, its error";
  Real xs(start = 0) "integral of the error, stopped at the limit";
  Real is(start = 0) "current that is asked for";
  Real raw "the same before the limit", limit "of the current";
  /* current: PI with a limit */
  Real ic "sampled current", ec "its error";
  Real xc(start = 0) "integral of the error";
  Real vc(start = 0) "voltage";
  Real rawv "the same before the limit";
equation
  L*der(i) = v - R*i - k*w;
  J*der(w) = k*i - load;
  C*der(T) = R*i^2 - G*T;
  v = hold(vc);

  Ts = sample(T, slow);
  allowed = max(2, Imax*min(1, 1 + (Tmax - Ts)/20));

  ws = sample(w, middle);
  es = sample(wish) - ws;
  limit = superSample(allowed, 100);
  raw = 0.3*es + 3*previous(xs);
  is = max(-limit, min(limit, raw));
  xs = previous(xs) + (if is == raw then es*interval(es) else 0);

  ic = sample(i, fast);
  ec = superSample(is, 20) - ic;
  rawv = 2*ec + 800*previous(xc);
  vc = max(-Vmax, min(Vmax, rawv));
  xc = previous(xc) + (if vc == rawv then ec*interval(ec) else 0);
  annotation (experiment(StopTime = 3, Interval = 5e-5));
end MultiRateDrive;
