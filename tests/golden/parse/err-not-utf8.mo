model A "Größe"
  Real x = ö;
end A;
