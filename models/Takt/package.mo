within;
package Takt "Components for small physical models"
  annotation(version = "0.1.0", Documentation(info = "<html>
<p>A small library that comes with takt and is found without <code>-L</code>:
electrical, rotational, translational and thermal parts and signal blocks. It
favours components whose equations stay smooth and whose structure stays fixed,
because those are the ones a real-time step can hold. The examples are in
<code>models/gallery</code>.</p>
<p>Signs: a flow variable is positive when it enters the component. The pins of
an electrical part are <code>p</code> and <code>n</code>; the ends of a
mechanical or thermal part are <code>a</code> and <code>b</code>.</p>
</html>"));
end Takt;
