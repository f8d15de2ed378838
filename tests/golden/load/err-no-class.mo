model UsesEmpty
  Names.Empty empty;
end UsesEmpty;
