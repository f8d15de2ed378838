/* controller.c - speed control of MotorPlant in C, over plain datagrams.
 *
 *   cc -O2 controller.c -o controller
 *
 * Takes time, speed and current from port 47101, gives the voltage to port
 * 47100. Numbers are doubles with their least byte first, which is how this
 * machine has them if it is of the usual kind. Ends when nothing has come for
 * two seconds after the first datagram. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static const double wanted = 150, kp = 0.03, ki = 0.3;

int main(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(47101)};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(47100)};
    struct timeval patience = {.tv_sec = 2};
    double from[3] = {0}, integral = 0, last = -1;
    long answers = 0;
    at.sin_addr.s_addr = to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) != 0) {
        perror("controller");
        return 1;
    }
    while (recv(fd, from, sizeof from, 0) == sizeof from) {
        double time = from[0], error = wanted - from[1];
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (last >= 0 && time > last)
            integral += ki * error * (time - last);
        last = time;
        double voltage = kp * error + integral;
        voltage = voltage > 60 ? 60 : voltage < -60 ? -60 : voltage;
        sendto(fd, &voltage, sizeof voltage, 0, (struct sockaddr *)&to,
               sizeof to);
        answers++;
    }
    printf("controller.c: %ld answers, the last speed %.2f rad/s\n", answers,
           from[1]);
    close(fd);
    return 0;
}
