function M
  input Real u;
  output Real y = u;
end M;
