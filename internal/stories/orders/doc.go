// Package orders plays subagents on other machines while those are cut off, switched off and come
// back, and the server is restarted, in random orders: none is lost, none ends twice, none is worked
// at by two, nothing is left. It has no source, only tests.
//
// The machines are those of machinelab, with the real programs and git, where root may make them;
// a smaller play with processes of this machine and a proxy that can be cut is played everywhere.
package orders
