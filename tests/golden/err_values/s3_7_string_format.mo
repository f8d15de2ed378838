model M
  parameter String s = String(1.5, format = "zz");
end M;
