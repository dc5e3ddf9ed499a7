// Pawl is a coding agent for the terminal, built around delegation. docs/house.md says what
// stands where.
package main

import (
	"os"

	"pawl/internal/start"
)

func main() { os.Exit(start.Main()) }
