within ModelicaServices;
package System "What a model may ask of the machine"
  impure function exit "Ends the simulation"
    extends Modelica.Utilities.Internal.PartialModelicaServices.System.exitBase;
    external "C" exit(status);
  end exit;
end System;
