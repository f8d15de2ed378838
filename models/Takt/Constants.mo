within Takt;
package Constants "Numbers of mathematics and nature"
  final constant Real pi = 2*asin(1.0) "Half the circumference of the unit circle";
  final constant Units.Acceleration g = 9.80665 "Standard acceleration of free fall";
  final constant Real sigma(final unit = "W/(m2.K4)") = 5.670374419e-8
    "Stefan-Boltzmann constant";
  final constant Units.Temperature zeroCelsius = 273.15 "0 degrees Celsius";
end Constants;
