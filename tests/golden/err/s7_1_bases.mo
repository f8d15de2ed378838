/* What can be extended, and what cannot stand beside a base class (7.1). */
model s7_1_bases
  model A
    Real x = 1;
  end A;
  model A3 = A[3];
  model In = input A;
  type T = Real;
  record R
    constant Real z = 3;
  end R;
  model B1
    extends A3;
    Real y = 2;
  end B1;
  model B2
    extends In;
    extends A;
  end B2;
  connector B3
    extends Real;
    extends R;
  end B3;
  model B4
    extends T;
  end B4;
  function B5
    extends R;
    output Real y = z;
  algorithm
  end B5;
  model B6
    replaceable model Q
      Real x = 2;
    end Q;
    extends Q;
  end B6;
  model Base
    model Inner
      Real x = 1;
    end Inner;
  end Base;
  model B7
    extends Base;
    model Inner
      Real x = 2;
    end Inner;
    Inner i;
  end B7;
  B1 b1;
  B2 b2;
  B3 b3 = 1;
  B4 b4 = 1;
  Real b5 = B5();
  B6 b6;
  B7 b7;
end s7_1_bases;
