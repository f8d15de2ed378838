// check: n 2 6
// grid: 1e-6
model Buttons "Two buttons that release each other, pressed at the same time by tables with events of their own: 1 at 0.5, 2 at 1.1, 1 at 1.6 s"
  function nextEvent
    input Takt.Blocks.Tables.ObjectTime object;
    input Real t;
    output Real next;
  external "C" next = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(object, t);
  end nextEvent;
  block Button
    parameter Real pressed[:, 2];
    input Boolean release;
    output Boolean on(start = false, fixed = true);
    Real y;
    discrete Real next(start = 0, fixed = true);
    Boolean down;
  protected
    parameter Takt.Blocks.Tables.ObjectTime object = Takt.Blocks.Tables.ObjectTime("NoName", "NoName", pressed, 0, {2},
      Takt.Blocks.Tables.Smoothness.ConstantSegments, Takt.Blocks.Tables.Extrapolation.HoldLastPoint, 0);
    Boolean released(start = false, fixed = true);
  equation
    when {time >= pre(next), initial()} then
      next = nextEvent(object, time);
    end when;
    y = Takt.Blocks.Tables.valueOverTime(object, 1, time, next, pre(next));
    down = y >= 0.5;
  algorithm
    released := pre(release);
    when released then
      on := false;
    end when;
    when change(down) then
      on := true;
    end when;
  initial equation
    pre(down) = false;
  end Button;
  Button a(pressed = [0, 0; 0.5, 1; 1.1, 0; 1.6, 1; 50, 0], release = b.on);
  Button b(pressed = [0, 0; 1.1, 1; 1.6, 0], release = a.on);
  Real n(start = 0, fixed = true) "1 each time a comes on, 2 each time b does; at the end 2 if a is on, 20 if b is";
algorithm
  when a.on then
    n := pre(n) + 1;
  end when;
  when b.on then
    n := pre(n) + 2;
  end when;
  when time >= 1.9 then
    n := pre(n) + (if a.on then 2 else 0) + (if b.on then 20 else 0);
  end when;
end Buttons;
