/* methods.c - the tables of the methods that takt knows by name.
 *
 * Runge-Kutta tableaux are written by rows: a_11 ... a_1s, ..., b_1 ... b_s;
 * multistep methods as alpha_0 ... alpha_k, beta_0 ... beta_k; Rosenbrock
 * methods as alpha_ij by rows, gamma_ij by rows, b_i. Everything else (c,
 * flags, error constant, transformed coefficients) follows from them in
 * method.c and rosenbrock.c.
 *
 * Radau IIA and Lobatto IIIC: Cellier, Kofman 8.3; Hairer, Wanner II, IV.5.
 * HW-SDIRK(3)4: P8.1 there; IV.6 (6.16). Adams-Moulton 3: (8.26).
 * ROS2: Verwer, Spee, Blom, Hundsdorfer, SIAM J. Sci. Comput. 20 (1999).
 * RODAS3: Sandu, Verwer, Blom, Spee, Carmichael, Potra, Atmospheric Environment
 * 31 (1997). ROS34PW2: Rang, Angermann, BIT 45 (2005). RODAS: Hairer, Wanner,
 * IV.10; RODASP: Steinebach, preprint TH Darmstadt 1772 (1995).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/method_internal.h"

static const char fe[] = "0 "
                         "1 ";
static const char be[] = "1 "
                         "1 ";
static const char pece[] = "0 0 "
                           "1 0 "
                           "0 1 ";
static const char midpoint[] = "0.5 "
                               "1 ";
static const char trapezoid[] = "0 0 "
                                "0.5 0.5 "
                                "0.5 0.5 ";
static const char rk2[] = "0 0 "
                          "1 0 "
                          "0.5 0.5 ";
static const char rk3[] = "0 0 0 "
                          "0.5 0 0 "
                          "-1 2 0 "
                          "1/6 2/3 1/6 ";
static const char rk4[] = "0 0 0 0 "
                          "0.5 0 0 0 "
                          "0 0.5 0 0 "
                          "0 0 1 0 "
                          "1/6 1/3 1/3 1/6 ";
static const char radau3[] = "5/12 -1/12 "
                             "0.75 0.25 "
                             "0.75 0.25 ";
static const char radau5[] =
    "(88-7*sqrt6)/360 (296-169*sqrt6)/1800 (-2+3*sqrt6)/225 "
    "(296+169*sqrt6)/1800 (88+7*sqrt6)/360 (-2-3*sqrt6)/225 "
    "(16-sqrt6)/36 (16+sqrt6)/36 1/9 "
    "(16-sqrt6)/36 (16+sqrt6)/36 1/9 ";
static const char lobatto4[] = "1/6 -1/3 1/6 "
                               "1/6 5/12 -1/12 "
                               "1/6 2/3 1/6 "
                               "1/6 2/3 1/6 ";
static const char sdirk4[] = "0.25 0 0 0 0 "
                             "0.5 0.25 0 0 0 "
                             "17/50 -1/25 0.25 0 0 "
                             "371/1360 -137/2720 15/544 0.25 0 "
                             "25/24 -49/48 125/16 -85/12 0.25 "
                             "25/24 -49/48 125/16 -85/12 0.25 ";
static const char sdirk4_hat[] = "59/48 -17/96 225/32 -85/12 0 ";

static const char ros2[] = "0 0 "
                           "1 0 "
                           "(2-sqrt2)/2 0 "
                           "(-2+sqrt2) (2-sqrt2)/2 "
                           "0.5 0.5 ";
static const char rodas3[] = "0 0 0 0 "
                             "0 0 0 0 "
                             "1 0 0 0 "
                             "0.75 -0.25 0.5 0 "
                             "0.5 0 0 0 "
                             "1 0.5 0 0 "
                             "-0.25 -0.25 0.5 0 "
                             "1/12 1/12 -2/3 0.5 "
                             "5/6 -1/6 -1/6 0.5 ";
static const char rodas3_hat[] = "0.75 -0.25 0.5 0 ";
static const char rosw3[] =
    "0 0 0 0 "
    "0.87173304301691801 0 0 0 "
    "0.84457060015369423 -0.11299064236484185 0 0 "
    "0 0 1 0 "
    "0.43586652150845900 0 0 0 "
    "-0.87173304301691801 0.43586652150845900 0 0 "
    "-0.90338057013044082 0.054180672388095326 0.43586652150845900 0 "
    "0.24212380706095346 -1.2232505839045147 0.54526025533510214 "
    "0.43586652150845900 "
    "0.24212380706095346 -1.2232505839045147 1.5452602553351020 "
    "0.43586652150845900 ";
static const char rosw3_hat[] =
    "0.37810903145819369 -0.096042292212423178 0.5 0.21793326075422950 ";
static const char rodas4[] =
    "0 0 0 0 0 0 "
    "0.386 0 0 0 0 0 "
    "0.14607470752541789788 0.0639252924745821 0 0 0 0 "
    "-0.33081150366773010879 0.71115102516828475633 0.249660478499445425 0 0 0 "
    "-4.5525571863180309759 1.7101813632413319438 4.0143473321031723376 "
    "-0.17197150902647375 0 0 "
    "2.4286337654669878007 -0.38274873376478460739 -1.8557203309295803538 "
    "0.55983529922737625 0.25 0 "
    "0.25 0 0 0 0 0 "
    "-0.3543 0.25 0 0 0 0 "
    "-0.13360250526817555039 -0.01289749473182446875 0.25 0 0 0 "
    "1.5268491730064671282 -0.53365628875045728237 -1.27939288425601 0.25 0 0 "
    "6.9811909517850187766 -2.0929300970061165512 -5.8700676630327526913 "
    "0.73180680825385 0.25 0 "
    "-2.080189494180936268 0.5957623556766833068 1.7016177982672618968 "
    "-0.088514519835880427342 -0.378676139927128375 0.25 "
    "0.34844427128605153266 0.21301362191189869941 -0.154102532662318457 "
    "0.47132077939149582266 -0.128676139927128375 0.25 ";
/* x_n + sum alpha_6j k_j, where stage 6 begins, has order 3. */
static const char rodas4_hat[] =
    "2.4286337654669878007 -0.38274873376478460739 -1.8557203309295803538 "
    "0.55983529922737625 0.25 0 ";
static const char rodasp4[] =
    "0 0 0 0 0 0 "
    "0.75 0 0 0 0 0 "
    "0.086120400814155125 0.123879599185844875 0 0 0 0 "
    "0.77493453550732511449 0.14926515495087027509 -0.2941996904581955 0 0 0 "
    "5.3087466826461447946 1.330892140037270329 -5.374137811655564901 "
    "-0.26550101102785025 0 0 "
    "-1.7644376487744868912 -0.47475655720630346045 2.3696918469158056508 "
    "0.6195023590649835 0.25 0 "
    "0.25 0 0 0 0 0 "
    "-0.75 0.25 0 0 0 0 "
    "-0.1355124008141550625 -0.137991599185844875 0.25 0 0 0 "
    "-1.2569840048950807306 -0.25014471050642585077 1.22092871540150625 0.25 "
    "0 0 "
    "-7.0731843314206316858 -1.8056486972435737894 7.7438296585713705518 "
    "0.88500337009283375 0.25 0 "
    "1.6840692779853742842 0.41826594361385698355 -1.8814062168730106338 "
    "-0.11378614758336443982 -0.3571428571428573125 0.25 "
    "-0.080368370789112607063 -0.056490613592446476893 0.48828563004279501699 "
    "0.50571621148161906018 -0.1071428571428573125 0.25 ";
static const char rodasp4_hat[] =
    "-1.7644376487744868912 -0.47475655720630346045 2.3696918469158056508 "
    "0.6195023590649835 0.25 0 ";

static const char bdf1[] = "1 -1 "
                           "1 0 ";
static const char bdf2[] = "1 -4/3 1/3 "
                           "2/3 0 0 ";
static const char bdf3[] = "1 -18/11 9/11 -2/11 "
                           "6/11 0 0 0 ";
static const char bdf4[] = "1 -48/25 36/25 -16/25 3/25 "
                           "12/25 0 0 0 0 ";
static const char bdf5[] = "1 -300/137 300/137 -200/137 75/137 -12/137 "
                           "60/137 0 0 0 0 0 ";
static const char am3[] = "1 -1 0 "
                          "5/12 8/12 -1/12 ";

const MethodSpec method_spec[] = {
    {"fe", "forward Euler", MK_RK, 1, 1, 1, fe, NULL, {0}, 0},
    {"pece",
     "forward Euler predicts, backward Euler corrects",
     MK_RK,
     2,
     1,
     1,
     pece,
     NULL,
     {0},
     0},
    {"rk2", "Runge-Kutta of order 2 (Heun)", MK_RK, 2, 2, 1, rk2, NULL, {0}, 0},
    {"rk3",
     "Runge-Kutta of order 3 (Kutta)",
     MK_RK,
     3,
     3,
     1,
     rk3,
     NULL,
     {0},
     0},
    {"rk4", "Runge-Kutta of order 4", MK_RK, 4, 4, 1, rk4, NULL, {0}, 0},
    {"be", "backward Euler", MK_RK, 1, 1, 1, be, NULL, {0}, 0},
    {"bdf1", "BDF of order 1", MK_MULTISTEP, 1, 1, 1, bdf1, NULL, {0}, 0},
    {"bdf2",
     "BDF of order 2",
     MK_MULTISTEP,
     2,
     2,
     2,
     bdf2,
     NULL,
     {"radau3"},
     0},
    {"bdf3",
     "BDF of order 3",
     MK_MULTISTEP,
     3,
     3,
     3,
     bdf3,
     NULL,
     {"radau5"},
     0},
    {"bdf4",
     "BDF of order 4",
     MK_MULTISTEP,
     4,
     4,
     4,
     bdf4,
     NULL,
     {"radau5"},
     0},
    {"bdf5",
     "BDF of order 5",
     MK_MULTISTEP,
     5,
     5,
     5,
     bdf5,
     NULL,
     {"radau5"},
     0},
    {"trapezoid", "trapezoidal rule", MK_RK, 2, 2, 2, trapezoid, NULL, {0}, 0},
    {"midpoint",
     "implicit midpoint rule",
     MK_RK,
     1,
     2,
     1,
     midpoint,
     NULL,
     {0},
     0},
    {"bi2",
     "BI2: forward and backward Euler in turn",
     MK_CYCLE,
     2,
     2,
     1,
     NULL,
     NULL,
     {"fe", "be"},
     0},
    {"radau3", "Radau IIA of order 3", MK_RK, 2, 3, 2, radau3, NULL, {0}, 0},
    {"radau5", "Radau IIA of order 5", MK_RK, 3, 5, 3, radau5, NULL, {0}, 0},
    {"lobatto4",
     "Lobatto IIIC of order 4",
     MK_RK,
     3,
     4,
     2,
     lobatto4,
     NULL,
     {0},
     0},
    {"sdirk4", "HW-SDIRK(3)4", MK_RK, 5, 4, 1, sdirk4, sdirk4_hat, {0}, 0},
    {"am3",
     "Adams-Moulton of order 3, two solves",
     MK_MULTISTEP,
     2,
     3,
     3,
     am3,
     NULL,
     {"radau3"},
     METHOD_REEVALUATE},
    {"lie",
     "linearly implicit Euler",
     MK_RK,
     1,
     1,
     1,
     be,
     NULL,
     {0},
     METHOD_LINEARLY},
    {"liex2",
     "linearly implicit extrapolation of order 2",
     MK_RK,
     2,
     2,
     1,
     NULL,
     NULL,
     {0},
     METHOD_EXTRAPOLATION},
    {"liex3",
     "linearly implicit extrapolation of order 3",
     MK_RK,
     3,
     3,
     1,
     NULL,
     NULL,
     {0},
     METHOD_EXTRAPOLATION},
    {"liex4",
     "linearly implicit extrapolation of order 4",
     MK_RK,
     4,
     4,
     1,
     NULL,
     NULL,
     {0},
     METHOD_EXTRAPOLATION},
    {"liex5",
     "linearly implicit extrapolation of order 5",
     MK_RK,
     5,
     5,
     1,
     NULL,
     NULL,
     {0},
     METHOD_EXTRAPOLATION},
    {"liex6",
     "linearly implicit extrapolation of order 6",
     MK_RK,
     6,
     6,
     1,
     NULL,
     NULL,
     {0},
     METHOD_EXTRAPOLATION},
    {"ros2",
     "Rosenbrock method of order 2 for any matrix (ROS2)",
     MK_ROSENBROCK,
     2,
     2,
     1,
     ros2,
     NULL,
     {0},
     0},
    {"rosw3",
     "Rosenbrock method of order 3 for any matrix (ROS34PW2)",
     MK_ROSENBROCK,
     4,
     3,
     1,
     rosw3,
     rosw3_hat,
     {0},
     0},
    {"rodas3",
     "Rosenbrock method of order 3 (RODAS3)",
     MK_ROSENBROCK,
     4,
     3,
     1,
     rodas3,
     rodas3_hat,
     {0},
     0},
    {"rodas4",
     "Rosenbrock method of order 4 (RODAS)",
     MK_ROSENBROCK,
     6,
     4,
     1,
     rodas4,
     rodas4_hat,
     {0},
     0},
    {"rodasp4",
     "Rosenbrock method of order 4 for parabolic problems (RODASP)",
     MK_ROSENBROCK,
     6,
     4,
     1,
     rodasp4,
     rodasp4_hat,
     {0},
     0},
    {"none",
     "no integration: the model as it is",
     MK_NONE,
     0,
     0,
     0,
     NULL,
     NULL,
     {0},
     0},
};
const int method_nspec = sizeof method_spec / sizeof *method_spec;
