// k is asked for first in a branch that is not taken: it is wrong all the same.
model DiscardedBranch
  parameter Boolean b = false;
  parameter Integer k = nosuch;
  parameter Real z[:] = if b then fill(1.0, k) else {1, 2};
  Real y = z[1]*time;
end DiscardedBranch;
