model UsesTop
  Top.M m;
end UsesTop;
