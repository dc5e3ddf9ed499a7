package lifecycle

// Port is a worker's side of its own run.
type Port struct{}
