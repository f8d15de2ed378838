/* A block shares inputs and outputs only (4.6). */
model s4_6_block
  connector P
    Real v;
    flow Real i;
  end P;
  block B
    P p;
  end B;
  B b;
end s4_6_block;
