// takt: check --plan plans/names.json
model PlanNames "Misspelt names in a plan get the nearest ones"
  Real speed(start = 1), height(start = 0);
equation
  der(speed) = -9.81 - 0.1*speed;
  der(height) = speed;
end PlanNames;
