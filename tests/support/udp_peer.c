/* udp_peer.c - the other side of takt run, for tests.
 *
 *     udp_peer hold       holds a port until standard input ends
 *     udp_peer talk X Y   sends to the port it reads: malformed datagrams, then
 *                         the number X; ends when (time, Y) comes back
 *
 * Its own port is the first line it prints.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static void put(double x, unsigned char *to)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int k = 0; k < 8; k++)
        to[k] = (unsigned char)(bits >> (8 * k));
}

static double get(const unsigned char *from)
{
    uint64_t bits = 0;
    double x;
    for (int k = 7; k >= 0; k--)
        bits = bits << 8 | from[k];
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int talk(int fd, struct sockaddr_in to, double x, double y)
{
    unsigned char data[64] = {0}, got[64];
    const struct sockaddr *a = (const struct sockaddr *)&to;
    sendto(fd, data, 0, 0, a, sizeof to);
    sendto(fd, data, 7, 0, a, sizeof to);
    sendto(fd, data, 9, 0, a, sizeof to);
    sendto(fd, data, 64, 0, a, sizeof to);
    put(NAN, data);
    sendto(fd, data, 8, 0, a, sizeof to);
    put(-INFINITY, data);
    sendto(fd, data, 8, 0, a, sizeof to);
    put(x, data);
    sendto(fd, data, 8, 0, a, sizeof to);
    for (;;) {
        ssize_t n = recv(fd, got, sizeof got, 0);
        if (n != 16) {
            printf("%zd bytes\n", n);
            return 1;
        }
        if (get(got + 8) == y) {
            printf("time %g\n", get(got));
            return 0;
        }
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof a;
    struct timeval most = {.tv_sec = 60};
    char line[32];
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (argc < 2 || fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) ||
        getsockname(fd, (struct sockaddr *)&a, &size) ||
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most))
        return 2;
    printf("%d\n", ntohs(a.sin_port));
    fflush(stdout);
    if (!strcmp(argv[1], "hold")) {
        while (fgets(line, sizeof line, stdin))
            continue;
        return 0;
    }
    if (argc < 4 || !fgets(line, sizeof line, stdin))
        return 2;
    a.sin_port = htons((uint16_t)atoi(line));
    return talk(fd, a, atof(argv[2]), atof(argv[3]));
}
