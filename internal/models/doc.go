// Package models turns a name and an environment into a provider: which providers there are,
// which variables each needs, which model is used if none is named, what the user's settings add
// to what is known, and what the servers list.
//
// It is the only package that imports the providers.
package models
