// Package outputs keeps the whole of what a tool gave where it is too long for a model: one
// folder a session, outside the project, one file a text, of bounded size.
package outputs
