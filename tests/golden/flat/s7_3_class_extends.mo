package P
  partial package Medium
    constant Real rho = 1;
    replaceable model Properties
      Real d = rho;
    end Properties;
    model User
      Properties p;
    end User;
  end Medium;
  package Water
    extends Medium(rho = 1000);
    redeclare model extends Properties
      Real h = 2*d;
    end Properties;
  end Water;
  model M
    replaceable package Fluid = Water;
    Fluid.User u;
  end M;
end P;
