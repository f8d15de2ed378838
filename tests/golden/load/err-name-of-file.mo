model UsesPump
  Names.Pump pump;
end UsesPump;
