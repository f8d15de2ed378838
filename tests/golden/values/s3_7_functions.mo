// tolerance: 1e-14
model M
  type Color = enumeration(red, green, blue);
  constant Real abs_[3] = abs({-2.5, 0, 1.5});
  constant Integer abs_i = abs(-3);
  constant Integer sign_[3] = sign({-2.5, 0, 1.5});
  constant Real sqrt_ = sqrt(6.25);
  constant Integer div_[4] = {div(7, 2), div(-7, 2), div(7, -2), div(-7, -2)};
  constant Integer mod_[4] = {mod(7, 3), mod(-7, 3), mod(7, -3), mod(-7, -3)};
  constant Integer rem_[4] = {rem(7, 3), rem(-7, 3), rem(7, -3), rem(-7, -3)};
  constant Real mod_r[2] = {mod(3.5, 1.25), mod(-3.5, 1.25)};
  constant Real rem_r[2] = {rem(3.5, 1.25), rem(-3.5, 1.25)};
  constant Real div_r[2] = {div(3.5, 1.25), div(-3.5, 1.25)};
  constant Real ceil_[2] = ceil({1.25, -1.25});
  constant Real floor_[2] = floor({1.25, -1.25});
  constant Integer integer_[2] = integer({1.75, -1.25});
  constant Integer number = Integer(Color.blue);
  constant Real sin_ = sin(0.5);
  constant Real cos_ = cos(0.5);
  constant Real tan_ = tan(0.5);
  constant Real asin_ = asin(0.5);
  constant Real acos_ = acos(0.5);
  constant Real atan_ = atan(0.5);
  constant Real atan2_[4] = {atan2(1, 2), atan2(1, -2), atan2(-1, 2), atan2(-1, -2)};
  constant Real sinh_ = sinh(0.5);
  constant Real cosh_ = cosh(0.5);
  constant Real tanh_ = tanh(0.5);
  constant Real exp_ = exp(0.5);
  constant Real log_ = log(0.5);
  constant Real log10_ = log10(0.5);
  constant Real min_[4] = {min(2, 3), min(3, 2), min({4, 1.5, 2}), min([5, -6; 7, 8])};
  constant Real max_[4] = {max(2, 3), max(3, 2), max({4, 5.5, 2}), max([5, -6; 7, 4])};
  constant Real empty[2] = {sum(zeros(0)), product(zeros(0))};
  constant Real least = min(zeros(0));
  constant Real semi[3] = {semiLinear(2, 3, 5), semiLinear(-2, 3, 5), semiLinear(0, 3, 5)};
  constant Real homotopy_ = homotopy(actual = 4, simplified = 9);
  constant Real quiet = noEvent(if 2 > 1 then 3 else 4);
  constant Real smooth_ = smooth(1, 2.5);
  constant String text[7] = {String(12.5), String(-3), String(true), String(Color.green),
    String(3.14159265, significantDigits = 3), String(7, minimumLength = 4) + "|",
    String(7, minimumLength = 4, leftJustified = false) + "|"};
  constant String formatted = String(2.5, format = "8.3f") + String(255, format = "x");
  constant String whoami = getInstanceName();
  constant Real promised = pure(twice(3));
  function twice
    input Real x;
    output Real y = 2*x;
  algorithm
    assert(x > 0, "twice of something positive");
  end twice;
end M;
