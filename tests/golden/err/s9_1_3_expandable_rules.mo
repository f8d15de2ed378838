/* Expandable connectors: nothing says what a member is, a connector that is
 * not expandable, flow, a member that is not there (9.1.3). */
model s9_1_3_expandable_rules
  expandable connector Bus
    flow Real f;
  end Bus;
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Bus a, b;
  Pin p(v = 1);
  Real x = a.absent;
equation
  connect(a.what, b.what);
  connect(a, p);
end s9_1_3_expandable_rules;
