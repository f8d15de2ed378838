// a line comment with "a quote and /* an opening
model Comments /* in the middle */ "text" // end
  Real x; /* over
  lines, /* no nesting, // neither */
  Real y /**/; /***/
equation
  x = 1 /* * / */; // the end without a line end
  y = 6/2;
end Comments; // last
