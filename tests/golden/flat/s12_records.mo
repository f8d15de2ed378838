package P
  record Data
    parameter Real R = 1;
    parameter Real L = 2*R;
  end Data;
  record Point
    Real x, y;
  end Point;
  function shift
    input Point p;
    output Point q;
  algorithm
    q.x := p.x + 1;
    q.y := p.y;
  end shift;
  model M
    parameter Data d = Data(R = 3);
    parameter Data e(R = 5);
    parameter Data f[2] = {Data(R = 1), Data(R = 2, L = 8)};
    Point a = Point(x = time, y = 2);
    Point b = shift(a);
  end M;
end P;
