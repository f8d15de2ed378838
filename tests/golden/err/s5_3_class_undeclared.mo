model M
  model Pump
  end Pump;
  Pmp p;
end M;
