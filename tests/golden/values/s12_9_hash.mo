model M "h = 33 h + character, from 5381: 5381, 177670, 33*177670 + 98"
  function hash
    input String s;
    output Integer h;
  external "C" h = ModelicaStrings_hashString(s);
  end hash;
  constant Integer nothing = hash("");
  constant Integer a = hash("a");
  constant Integer ab = hash("ab");
end M;
