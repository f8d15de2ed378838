// exit: 0
// A matrix that a model would write to a file is not written, and it is told so.
model s12_9_no_file_written
  impure function write
    input String fileName;
    input String matrixName;
    input Real matrix[:,:];
    input Boolean append = false;
    input String format = "4";
    output Boolean success;
    external "C" success = ModelicaIO_writeRealMatrix(fileName, matrixName,
      matrix, size(matrix, 1), size(matrix, 2), append, format);
  end write;
  discrete Real a[1,2](each start = 0, each fixed = true);
  Boolean done(start = true, fixed = true);
algorithm
  when sample(0.5, 1) then
    a := [time, 2*time];
    done := write("result.mat", "a", a);
  end when;
end s12_9_no_file_written;
