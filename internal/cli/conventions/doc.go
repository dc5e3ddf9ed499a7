// Package conventions is pawl agents and pawl skills: what the files of a folder and of the user
// give to Pawl, from where it comes, and what is wrong with it.
//
//	project.ReadUnopened ─► rows ─► a table or JSON, and a line for each file that cannot be used
package conventions
