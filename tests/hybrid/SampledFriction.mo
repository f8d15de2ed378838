// check: v 1.05 1.05
// grid: 0.01
model SampledFriction "force 3 where v < 0.95 every tenth, dry friction 1: up by 0.2, down by 0.1 and 0.1"
  Real v(start = 0, fixed = true), f;
  discrete Real u(start = 0, fixed = true);
  Boolean moves(start = false, fixed = true);
equation
  when sample(0, 0.1) then
    u = if v < 0.95 then 3 else 0;
  end when;
  moves = pre(moves) or u > 1;
  f = if moves then 1 else u;
  der(v) = u - f;
end SampledFriction;
