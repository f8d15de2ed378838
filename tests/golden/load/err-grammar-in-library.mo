model UsesBroken
  Names.Broken broken;
end UsesBroken;
