/* What a redeclaration may not change (7.3). */
model s7_3_redeclare_rules
  model A
    replaceable constant Real k = 1;
    replaceable Real x = 1;
  protected
    replaceable Real y = 1;
  end A;
  model B
    extends A;
    redeclare Real y = 2;
  protected
    redeclare Real x = 2;
  end B;
  model C
    extends A(redeclare Real x = 3);
  end C;
  model D
    extends C(redeclare Real x = 4);
  end D;
  A a(redeclare Real k = 2);
  B b;
  D d;
end s7_3_redeclare_rules;
