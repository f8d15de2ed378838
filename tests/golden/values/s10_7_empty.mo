model M "members of no components have sizes and types all the same"
  model Part
    Real x[2] = {1, 2};
    Integer n = 3;
  end Part;
  record Pair
    Real a = 1;
    Integer b = 2;
  end Pair;
  Part none[0];
  Part rows[2, 0];
  Part one[1];
  Pair pairs[0];
  parameter Integer of_n[2] = size(rows.n);
  parameter Integer of_one_x[2] = size(one.x);
  parameter Integer of_b = size(pairs.b, 1);
  Real total = sum(none.x) + product(none.n) + sum(one.x) + sum(pairs.a);
  Real joined[2] = cat(1, pairs.a, {time, 5});
end M;
