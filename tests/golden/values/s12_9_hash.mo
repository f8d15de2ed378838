model M "Partow: h ^= h*128 ^ c*(h/8), then h ^= not (h*2048 + (c ^ h/32)), from 0xAAAAAAAA, 32 bits"
  function hash
    input String s;
    output Integer h;
  external "C" h = ModelicaStrings_hashString(s);
  end hash;
  constant Integer nothing = hash("");
  constant Integer a = hash("a");
  constant Integer ab = hash("ab");
end M;
