model Annotations
  parameter Real k annotation(Dialog(tab = "T", group = "G", enable = not x),
    Evaluate = true, choices(choice = 1 "one", choice(redeclare M m "a")));
  annotation(experiment(StopTime = 1e-3), __Vendor(a(b = {1, 2})),
    Icon(coordinateSystem(extent = {{-100, -100}, {100, 100}}), graphics =
    {Text(extent = {{-1, 2}, {3, -4}}, textString = "%name"),
    Line(points = {{-1, +2}}, color = DynamicSelect({0, 0, 1}, c))}),
    Documentation(info = "<html>
<p>\"quoted\" &amp; more</p>
</html>"), uses(Modelica(version = "4.0.0")), conversion(noneFromVersion = "1",
    from(version = {"1", "2"}, script = "x.mos")));
end Annotations;
