/* TankControl.mo - a tank that a clocked state machine fills, heats and drains.
 *
 * The tank is continuous, the controller a state machine on a clock of 0.5 s
 * (chapter 17 of the language). `heat` has two machines at once, the heater and
 * a stirrer that counts its turns; it is left when both have come to an end.
 */
model TankControl "state machine: fill, heat and stir, drain, begin again"
  parameter Real A = 0.5 "area, m2";
  parameter Real high = 0.98, low = 0.33 "levels, m";
  inner parameter Real hot = 60 "temperature, degC";
  parameter Real k = 60 "heater, K m/s when on";
  parameter Real loss = 0.02 "heat loss, 1/s";

  /* the tank */
  Real h(start = 0.3, fixed = true) "level, m";
  Real T(start = 20, fixed = true) "temperature, degC";
  Real q "into the tank, m3/s";

  /* what the controller gives */
  inner Real valve(start = 0) "in, positive, or out";
  inner Boolean heater(start = false);
  inner Integer turns(start = 0) "of the stirrer in this batch";
  Integer batch(start = 0) "batches so far";

  /* what it sees */
  inner Real level "sampled level";
  inner Real temperature "sampled temperature";

  block Fill
    outer output Real valve;
  equation
    valve = 1;
  end Fill;

  block Heat
    inner outer output Real valve;
    inner outer output Boolean heater;
    inner outer output Integer turns;
    outer input Real temperature;
    outer parameter Real hot;
    block On
      outer output Real valve;
      outer output Boolean heater;
    equation
      valve = 0;
      heater = true;
    end On;
    block Off
      outer output Boolean heater;
    equation
      heater = false;
    end Off;
    block Stir
      outer output Integer turns;
    equation
      turns = ticksInState();
    end Stir;
    block Rest
    end Rest;
    On on;
    Off off;
    Stir stir;
    Rest rest;
  equation
    initialState(on);
    transition(on, off, temperature > hot, immediate = false);
    initialState(stir);
    transition(stir, rest, ticksInState() >= 8, immediate = false);
  end Heat;

  block Drain
    outer output Real valve;
    Integer n(start = 0) "how often";
  equation
    valve = -1;
    n = previous(n) + (if ticksInState() == 1 then 1 else 0);
  end Drain;

  Fill fill;
  Heat heat;
  Drain drain;
equation
  A*der(h) = q;
  q = 0.05*hold(valve);
  der(T) = (if hold(heater) then k else 0)*0.05/h - loss*(T - 20) - max(q, 0)/(A*h)*(T - 20);

  level = sample(h, Clock(1, 2));
  temperature = sample(T);
  initialState(fill);
  transition(fill, heat, level >= high, immediate = false);
  transition(heat, drain, true, immediate = false, reset = false, synchronize = true);
  transition(drain, fill, level <= low, immediate = false);
  batch = drain.n;
  annotation (experiment(StopTime = 120, Interval = 0.05));
end TankControl;
