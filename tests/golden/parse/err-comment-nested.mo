model A
  /* outer /* inner */ still outer? */
  Real x;
end A;
