// exit: 3
model M
  expandable connector Bus
  end Bus;
  connector Out = output Real;
  model Sensor
    Out y = time;
  end Sensor;
  Bus bus;
  Sensor sensor;
equation
  connect(sensor.y, bus.speed);
end M;
