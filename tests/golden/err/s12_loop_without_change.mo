// takt: sim @FILE@ --stop 1 --method rk4 --step 0.5
model LoopWithoutChange "a loop at run time whose turns change nothing"
  function f
    input Real n;
    output Real y;
  algorithm
    y := n;
    while y > 0.5 loop
      y := y + 0.0;
    end while;
  end f;
  Real x = f(time);
end LoopWithoutChange;
