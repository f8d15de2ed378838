model UsesTwo
  Names.Two two;
end UsesTwo;
