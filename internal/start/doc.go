// Package start runs this program in its role: the helper around a command, the guard, or Pawl
// itself. It compiles on Windows, where it says that Pawl does not run there; no other package
// of Pawl needs to.
package start
