// exit: 0
// A line that a model would print to a file is told, and that it is not written.
model s12_9_no_line_written
  impure function print
    input String string = "";
    input String fileName = "";
  external "C" ModelicaInternal_print(string, fileName);
  end print;
  parameter Real k = 2;
  Real x = k*time;
initial algorithm
  print("begins", "log.txt");
  print("on the screen");
end s12_9_no_line_written;
