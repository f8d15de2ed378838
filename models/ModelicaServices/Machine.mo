within ModelicaServices;
package Machine "Numbers of the machine: IEEE double and 32-bit integers"
  final constant Real eps = 1e-15
    "Relative accuracy that computations can hope for";
  final constant Real small = 1e-60 "Not 0, and its square is not 0 either";
  final constant Real inf = 1e60 "Larger than any quantity, and so is its square";
  final constant Integer Integer_inf = 2147483647 "The largest Integer";
end Machine;
