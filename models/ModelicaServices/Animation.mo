within ModelicaServices;
package Animation
  "Bodies to be drawn: takt computes their motion and draws nothing"
  model Shape "A body of a given shape, size and colour"
    extends Modelica.Utilities.Internal.PartialModelicaServices.Animation.PartialShape;
  end Shape;

  model Surface "A surface whose points a function gives"
    extends Modelica.Utilities.Internal.PartialModelicaServices.Animation.PartialSurface;
  end Surface;

  model Vector "An arrow: a force, a torque, a speed"
    extends Modelica.Utilities.Internal.PartialModelicaServices.Animation.PartialVector;
  end Vector;
end Animation;
