// Package outputs stores tool results that are too long for a model: a folder a session,
// outside the project, and a file of bounded size for each result.
package outputs
