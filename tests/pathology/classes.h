/* classes.h - which code of a message and which cause of a step speaks of what
 * went wrong; see `says` in README.md. */
/* a system of equations has no solution, or none was found */
{"unsolved", "E1322"},
{"unsolved", "W1332"},
{"unsolved", "W1334"},
{"unsolved", "E1340"},
{"unsolved", "E1345"},
{"unsolved", "E1102"},
{"unsolved", "unsolved"},
{"unsolved", "not_converged"},
{"unsolved", "not_finite"},
{"unsolved", "no_solution"},
{"unsolved", "defect"},
{"unsolved", "crossed"},
/* its matrix is singular, or nearly */
{"singular", "E1322"},
{"singular", "W1402"},
{"singular", "W1406"},
{"singular", "W1407"},
{"singular", "E1401"},
{"singular", "singular"},
{"singular", "bad_factors"},
{"singular", "not_finite"},
/* a value is not finite, or beyond all bounds */
{"unbounded", "E1323"},
{"unbounded", "E1340"},
{"unbounded", "E1345"},
{"unbounded", "not_finite"},
{"unbounded", "beyond_bounds"},
{"unbounded", "far_out"},
/* an error estimate is above its tolerance */
{"error", "W1358"},
/* what the method makes of the modes of the model */
{"stability", "W1350"},
{"stability", "W1351"},
/* min and max */
{"bounds", "W1324"},
{"bounds", "left_range"},
{"bounds", "out_of_range"},
/* assertions of the model */
{"asserted", "E1320"},
{"asserted", "asserted"},
/* an Integer leaves its range; in C by an assertion of its own */
{"integer", "E1325"},
{"integer", "asserted"},
/* too many events for the reference integrator */
{"events", "E1341"},
/* a value was not accepted */
{"refused", "E1305"},
{"refused", "refused"},
