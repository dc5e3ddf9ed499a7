package replay

// Order is a wish of somebody who watches.
type Order string

// The orders. Those that go back begin again at the first record.
const (
	Turn     Order = "turn"     // hold, or go on; at the end: begin again
	Step     Order = "step"     // hold, and show the next record
	StepBack Order = "stepback" // hold, and take the last record back
	NextEnd  Order = "nextend"  // to the next end of a run
	LastEnd  Order = "lastend"  // to the end of a run before this
	Faster   Order = "faster"
	Slower   Order = "slower"
	Start    Order = "start" // before the first record
	End      Order = "end"   // to the last one
)

// The bounds of the speed, and by how much an order changes it.
const (
	Slowest = 0.25
	Fastest = 64.0
	factor  = 2
)
