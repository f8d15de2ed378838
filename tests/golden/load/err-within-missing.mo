model UsesNone
  Within.None part;
end UsesNone;
