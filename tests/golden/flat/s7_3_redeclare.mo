package P
  partial block Source
    output Real y;
    parameter Real offset = 0;
  end Source;
  block Constant
    extends Source;
    parameter Real k = 1;
  equation
    y = k + offset;
  end Constant;
  block Ramp
    extends Source;
    parameter Real slope = 1;
  equation
    y = offset + slope*time;
  end Ramp;
  model Holder
    replaceable Constant s(offset = 3) constrainedby Source(offset = 4);
    replaceable model Load = Constant constrainedby Source;
    Load load;
  end Holder;
  model M
    Holder a;
    Holder b(redeclare Ramp s(slope = 2), redeclare model Load = Ramp(slope = 9));
  end M;
end P;
