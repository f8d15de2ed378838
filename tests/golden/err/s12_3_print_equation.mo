// 12.3: print is impure, but nothing depends on it: a warning. What it is told
// must be right all the same, and another impure function stays an error.
model M
  impure function print
    input String string = "";
    input String fileName = "";
  external "C" ModelicaInternal_print(string, fileName);
  end print;
  impure function send
    input Real u;
  external "C" send_it(u);
  end send;
  Real x = time;
algorithm
  print("x is " + String(x));
equation
  print("twice");
  send(x);
end M;
