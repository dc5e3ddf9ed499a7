// Package bench measures the installed program: the aims of PERFORMANCE.md, the plots of
// docs/growth.svg, and how large the program is and how often it asks. It has no source, only
// benchmarks and tests.
package bench
