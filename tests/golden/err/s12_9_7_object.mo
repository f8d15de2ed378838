// 12.9.7: a class that extends ExternalObject has a constructor and a destructor
// and nothing else.
model M
  class Obj
    extends ExternalObject;
    function constructor
      output Obj o;
      external "C" o = obj_new();
    end constructor;
    function destructor
      input Obj o;
      external "C" obj_free(o);
    end destructor;
    Real q;
  end Obj;
  Obj o = Obj();
  Real x = time;
end M;
