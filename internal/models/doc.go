// Package models leads from a name and an environment to a provider: which providers
// there are, which variables make each answer, which model is chosen when none is
// named, what the user's table adds to what is known, and what the servers list.
//
// It is the only package that imports the providers.
package models
