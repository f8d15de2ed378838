model SampledControl "A digital controller holds a first-order process"
  import Takt.Blocks;
  Blocks.Sources.Step wanted(startTime = 0.5);
  Blocks.Math.Feedback error;
  Blocks.Discrete.SampledPI controller(period = 0.1, k = 2, Ti = 0.5);
  Blocks.Continuous.FirstOrder process(T = 1);
equation
  connect(wanted.y, error.u1);
  connect(process.y, error.u2);
  connect(error.y, controller.u);
  connect(controller.y, process.u);
  annotation(experiment(StopTime = 5, Interval = 0.01));
end SampledControl;
