within A.'b c';
final package P "comment " + "in parts"
  encapsulated partial model M1 end M1;
  class C end C;
  record R Real x; end R;
  block B end B;
  connector K flow Real i; stream Real h; Real v; end K;
  expandable connector Bus end Bus;
  type T = Real(final quantity = "Length", unit = "m", min = 0) "a type";
  type V = T[3];
  type E = enumeration(a "first" annotation(x = 1), b, 'c d');
  type Empty = enumeration();
  type Any = enumeration(:);
  connector In = input Real;
  connector Out = output T[:, 2](each start = 1) annotation(y = 2);
  pure function f end f;
  impure function g end g;
  function df = der(f, x, y) "partial derivative";
  operator record Complex
    operator 'constructor'
      function fromReal end fromReal;
    end 'constructor';
    encapsulated operator function '+' end '+';
  end Complex;
  operator '-' end '-';
  model extends Base(x = 1, redeclare model N = N2) "more"
  end Base;
  protected
  model Hidden end Hidden;
  public
  annotation(version = "1");
end P;
model Second end Second;
