model ExhaustPipe "Exhaust pipe, 5 cells: 3 mass fractions, bulk and wall temperature (Loderer/Heuveline Eq. 16-18); parameters fitted by us"
  parameter Integer n = 5;
  parameter Real pi = 3.14159265358979323846, Rg = 8.314462618, sig = 5.670374419e-8;
  parameter Real mdot = 0.02885;
  parameter Real alBC = 38.57;
  parameter Real alAC = 60.0;
  parameter Real wall = 0.0008518;
  parameter Real lamC = 34.47;
  parameter Real cp = 1154.0;
  parameter Real Tin = 719.9;
  parameter Real len = 0.158;
  parameter Real dia = 0.05603;
  parameter Real p = 101300.0;
  parameter Real mmol = 0.0288;
  parameter Real TA = 300.0;
  parameter Real epsC = 0.8;
  parameter Real rhoC = 7850.0;
  parameter Real cC = 490.0;
  parameter Real AB = pi*dia^2/4, lB = pi*dia, lC = pi*(dia + 2*wall), AC = pi*(dia + wall)*wall, dz = len/n;
  parameter Real win[3] = {0.12, 0.05, 0.01};
  Real w[5,3](start = {{0.1, 0.04, 0.02} for i in 1:5}, each fixed = true);
  Real TB[5](each start = 500.0, each fixed = true);
  Real TC[5](each start = 400.0, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:3 loop
      p*mmol/(Rg*TB[i])*der(w[i,j]) = -mdot/AB*(w[i,j] - (if i == 1 then win[j] else w[if i == 1 then 1 else i-1,j]))/dz;
    end for;
    p/TB[i]*(mmol*cp/Rg - 1)*der(TB[i]) = -(mdot*cp*(TB[i] - (if i == 1 then Tin else TB[if i == 1 then 1 else i-1]))/dz + alBC*lB*(TB[i] - TC[i]))/AB;
    rhoC*cC*der(TC[i]) = lamC*((if i == 1 then TC[1] else TC[if i == 1 then 1 else i-1]) - 2*TC[i] + (if i == n then TC[n] else TC[if i == n then n else i+1]))/dz^2
      + (alBC*lB*(TB[i] - TC[i]) - alAC*lC*(TC[i] - TA) - epsC*lC*sig*(TC[i]^4 - TA^4))/AC;
  end for;
  annotation(experiment(StopTime = 5, Interval = 0.001), Documentation(info = "Loderer and Heuveline 2017, (16) to (18); parameters are fitted to the printed spectrum."));
end ExhaustPipe;
