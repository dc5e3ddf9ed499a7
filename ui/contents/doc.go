// Package contents shows what fills the context of a session's model, part by part.
//
//	agent.Context, what the provider counted ──► Fill: a title with the sum, a row a part, what is free
package contents
