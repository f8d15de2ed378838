within Takt.Blocks;
package Tables "Characteristics given by points, as numbers or in a file"
  type Smoothness = enumeration(
    LinearSegments "Lines",
    ContinuousDerivative "Cubics by Akima",
    ConstantSegments "Steps",
    MonotoneContinuousDerivative1 "Monotone cubics by Fritsch and Butland",
    MonotoneContinuousDerivative2 "Monotone cubics by Steffen",
    ModifiedContinuousDerivative "Cubics by Akima with modified weights")
    "What is between two points";

  type Extrapolation = enumeration(
    HoldLastPoint "The value at the end",
    LastTwoPoints "On with the slope at the end",
    Periodic "The same again",
    NoExtrapolation "A failed assertion")
    "What is outside of the table";

  block Table1 "y over u: two columns, or one of several"
    extends Interfaces.SingleInOut;
    parameter Real table[:, :] = [0, 0] "Points: u in the first column";
    parameter Integer column = 2 "Column of y";
    parameter String fileName = "NoName" "File of the table (.txt, .mat, .csv), if it is on file";
    parameter String tableName = "NoName" "Its name there";
    parameter Smoothness smoothness = Smoothness.LinearSegments "What is between two points";
    parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints "What is outside";
  protected
    parameter Object1 object = Object1(fileName, tableName, table, {column}, smoothness, extrapolation);
  equation
    y = value1(object, 1, u);
  end Table1;

  block Table2 "y over u1 and u2: u1 in the first column, u2 in the first row"
    extends Interfaces.DoubleInOut;
    parameter Real table[:, :] = [0, 0; 0, 0] "Points; the first number is not used";
    parameter String fileName = "NoName" "File of the table (.txt, .mat, .csv), if it is on file";
    parameter String tableName = "NoName" "Its name there";
    parameter Smoothness smoothness = Smoothness.LinearSegments "What is between: lines, cubics by Akima, steps";
    parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints "What is outside";
  protected
    parameter Object2 object = Object2(fileName, tableName, table, smoothness, extrapolation);
  equation
    y = value2(object, u1, u2);
  end Table2;

  block TimeTable "y over time; two points at the same time are a jump, which is no event"
    extends Interfaces.Source;
    parameter Real table[:, :] = [0, 0] "Points: time in the first column";
    parameter Integer column = 2 "Column of y";
    parameter String fileName = "NoName" "File of the table (.txt, .mat, .csv), if it is on file";
    parameter String tableName = "NoName" "Its name there";
    parameter Smoothness smoothness = Smoothness.LinearSegments "What is between two points";
    parameter Extrapolation extrapolation = Extrapolation.HoldLastPoint "What is outside";
    parameter Units.Time startTime = 0 "Before it y is 0";
    parameter Units.Time shiftTime = startTime "Time of the table's 0";
  protected
    parameter ObjectTime object = ObjectTime(fileName, tableName, table, startTime, {column}, smoothness, extrapolation, shiftTime);
  equation
    y = valueOverTime(object, 1, time, 1, 0);
  end TimeTable;

  class Object1 "A table in one direction"
    extends ExternalObject;

    function constructor
      input String fileName;
      input String tableName;
      input Real table[:, :];
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output Object1 object;
    external "C" object = ModelicaStandardTables_CombiTable1D_init2(
      fileName, tableName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation, false);
    end constructor;

    function destructor
      input Object1 object;
    external "C" ModelicaStandardTables_CombiTable1D_close(object);
    end destructor;
  end Object1;

  class Object2 "A table in two directions"
    extends ExternalObject;

    function constructor
      input String fileName;
      input String tableName;
      input Real table[:, :];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output Object2 object;
    external "C" object = ModelicaStandardTables_CombiTable2D_init2(
      fileName, tableName, table, size(table, 1), size(table, 2), smoothness, extrapolation, false);
    end constructor;

    function destructor
      input Object2 object;
    external "C" ModelicaStandardTables_CombiTable2D_close(object);
    end destructor;
  end Object2;

  class ObjectTime "A table over time"
    extends ExternalObject;

    function constructor
      input String fileName;
      input String tableName;
      input Real table[:, :];
      input Units.Time startTime;
      input Integer columns[:];
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      input Units.Time shiftTime;
      output ObjectTime object;
    external "C" object = ModelicaStandardTables_CombiTimeTable_init2(
      fileName, tableName, table, size(table, 1), size(table, 2), startTime, columns, size(columns, 1), smoothness, extrapolation, shiftTime, 1, false);
    end constructor;

    function destructor
      input ObjectTime object;
    external "C" ModelicaStandardTables_CombiTimeTable_close(object);
    end destructor;
  end ObjectTime;

  pure function value1 "Value of a table"
    input Object1 object;
    input Integer column "Number among the columns";
    input Real u;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(object, column, u);
  end value1;

  pure function value2 "Value of a table in two directions"
    input Object2 object;
    input Real u1;
    input Real u2;
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTable2D_getValue(object, u1, u2);
  end value2;

  pure function valueOverTime "Value of a table over time"
    input ObjectTime object;
    input Integer column "Number among the columns";
    input Real t "Time";
    discrete input Real next "Next event";
    discrete input Real preNext "What it was before; other than next: the present event was handled";
    output Real y;
  external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(object, column, t, next, preNext);
  end valueOverTime;
end Tables;
