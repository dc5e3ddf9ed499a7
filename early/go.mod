// A module of its own for one reason: its name. Go initialises packages in the order of their import
// paths (Go spec, "Package initialization"), so what is named a.pawl runs before the screen, the
// highlighter and the database wake. The guard and the helper of the launcher are this very binary,
// and neither needs any of them: so they start in a millisecond or two and stay small.
module a.pawl

go 1.26.5

require golang.org/x/sys v0.49.0
