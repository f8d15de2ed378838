model UsesLoop
  Loop.Again.Again m;
end UsesLoop;
