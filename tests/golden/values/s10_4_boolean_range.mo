model M "ranges of Boolean values"
  constant Boolean both[2] = false:true;
  constant Boolean one[1] = true:true;
  constant Boolean none[0] = true:false;
end M;
