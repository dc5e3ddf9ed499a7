// Package sandbox works out what a command is kept from: where it may write, what it may
// not change even there, and whether it has a network. It starts nothing and enforces
// nothing: package process hands the Confinement to the helper, which puts it in force.
//
// An escape would be a path that a command itself could have put there for the next one: so
// nothing is taken at its word that lies where commands write (findCheckout, reached, settle).
package sandbox
