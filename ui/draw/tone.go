package draw

// Tone is how much a note wants to be seen.
type Tone int

// The tones, from what may be overlooked to what may not.
const (
	Quiet Tone = iota
	Caution
	Failure
)
