// Package early holds nothing itself: its folders are the parts of Pawl that are
// processes of their own, the guard and the launcher's helper. They are the same
// binary in another role, chosen in an init function, before the rest of the
// program wakes. So they may import os, os/signal, syscall, time and x/sys/unix,
// but not fmt, nor whatever fmt needs: that wakes late.
package early
