model UsesTank
  Names.Tanks.Small tank;
end UsesTank;
