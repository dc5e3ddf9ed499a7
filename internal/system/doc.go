// Package system is what commands need of the machine, and how they answer it: exit codes and
// usage errors, file locks, pipes, signals to this process, disk space and the system's name. It
// imports no other package of Pawl.
package system
