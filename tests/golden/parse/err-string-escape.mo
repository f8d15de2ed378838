model A
  parameter String file = "C:\data\table.txt";
  parameter String ok = "C:\\data\\table.txt";
end A;
