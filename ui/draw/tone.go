package draw

// Tone is how urgent a note is.
type Tone int

// The tones, least urgent first.
const (
	Quiet Tone = iota
	Caution
	Failure
)

// Paint is how text of a tone is drawn.
func (t Tone) Paint(theme Theme) Paint {
	switch t {
	case Caution:
		return theme.Warn
	case Failure:
		return theme.Bad
	case Quiet:
	}
	return theme.Dim
}
