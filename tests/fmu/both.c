/* both.c - two FMUs from their sources in one program: only the prefixes keep
 * them apart. */
#include <stdio.h>

void *Stiff_fmi2Instantiate(const char *, int, const char *, const char *,
                            const void *, int, int);
const char *Stiff_fmi2GetVersion(void);
const char *Ends_fmi2GetVersion(void);
void *Ends_fmi2Instantiate(const char *, int, const char *, const char *,
                           const void *, int, int);

int main(void)
{
    printf("%s %s %d\n", Stiff_fmi2GetVersion(), Ends_fmi2GetVersion(),
           Stiff_fmi2Instantiate != Ends_fmi2Instantiate);
    return 0;
}
