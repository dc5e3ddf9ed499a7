package replay

// Order is a command to the player.
type Order string

// The orders. Those that go back restart at the first record.
const (
	Turn     Order = "turn"     // pause or go on; at the end: restart
	Step     Order = "step"     // pause and show the next record
	StepBack Order = "stepback" // pause and take the last record back
	NextEnd  Order = "nextend"  // leap to the next end of a run
	LastEnd  Order = "lastend"  // leap back to the previous end of a run
	Faster   Order = "faster"
	Slower   Order = "slower"
	Start    Order = "start" // to before the first record
	End      Order = "end"   // to the last one
)

// The limits of the speed, and the factor by which an order changes it.
const (
	Slowest = 0.25
	Fastest = 64.0
	factor  = 2
)
