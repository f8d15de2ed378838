void *curve_open(const char *path);
void curve_close(void *curve);
double curve_look(void *curve, double x);
double curve_largest(const char *folder, double x);
double curve_count(double x);
