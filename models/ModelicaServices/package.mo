within;
package ModelicaServices
  "What the Modelica Standard Library asks of a tool, as takt gives it"
  constant String target = "takt" "The tool this package belongs to";

  annotation(version = "4.0.0", Documentation(info = "<html>
<p>The Modelica Standard Library leaves a few things to the tool: constants of
the machine, animation, files behind <code>modelica://</code> names. takt finds
this package before any other of its name.</p>
</html>"));
end ModelicaServices;
