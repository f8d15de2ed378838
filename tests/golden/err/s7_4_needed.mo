/* Nobody else may need what `break` leaves out (7.4). */
model s7_4_needed
  model A
    parameter Real r = 1;
  end A;
  model S
    A a;
    Real power = a.r*time;
  end S;
  extends S(break a);
end s7_4_needed;
