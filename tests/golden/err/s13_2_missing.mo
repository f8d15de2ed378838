package P
  model M
    import Mechanics.Parts.Wheel;
    Wheel w;
  end M;
end P;
