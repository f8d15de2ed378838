/* time belongs to models (3.6.7). */
model s3_6_7_time
  function f
    output Real t;
  algorithm
    t := time;
  end f;
  record R
    Real x = time;
  end R;
  connector C
    Real e = time;
    flow Real f;
  end C;
  Real x = f();
  R r;
  R s(x = time);
  C c;
end s3_6_7_time;
