"""controller.py - speed control of MotorPlant in Python, over datagrams with header.

Takes time, speed and current from port 47101, gives the voltage to port 47100. Ends when
nothing has come for two seconds after the first datagram.
"""
import socket
import struct

WANTED, KP, KI = 150.0, 0.03, 0.3  # rad/s, V s/rad, V/rad
HEADER = struct.Struct("<4sHHQq")  # letters, kind, numbers, sequence, stamp

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 47101))
last, sequence, integral, lost = None, 0, 0.0, 0
expected = None
while True:
    try:
        data = s.recv(2048)
    except socket.timeout:
        break
    s.settimeout(2)
    letters, kind, n, number, stamp = HEADER.unpack_from(data)
    time, speed, current = struct.unpack_from("<3d", data, HEADER.size)
    lost += 0 if expected is None else max(0, number - expected)
    expected = number + 1
    error = WANTED - speed
    if last is not None and time > last:
        integral += KI * error * (time - last)
    last = time
    voltage = max(-60.0, min(60.0, KP * error + integral))
    s.sendto(HEADER.pack(b"TKT1", 1, 1, sequence, 0) + struct.pack("<d", voltage), ("127.0.0.1", 47100))
    sequence += 1
print("controller.py: %d answers, %d datagrams lost, the last speed %.2f rad/s" % (sequence, lost, speed))
