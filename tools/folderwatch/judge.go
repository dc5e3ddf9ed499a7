package folderwatch

// verdict says whose a change is.
type verdict int

// In this order: what is in a folder that a command moved is that command's, however old it is.
const (
	others verdict = iota // made before any command of now began
	later                 // perhaps of a command that is still at work: its end will tell
	own                   // of the command that has ended
)

// judge tells by the time of a change whose it is.
type judge struct {
	ended *mark        // when the command began whose end is looked at; nil: a refresh
	first func() int64 // when the first of the other commands began that are at work
}

func (j judge) of(changed int64) verdict {
	changed = latest(changed)
	switch first := j.first(); {
	case j.ended != nil && changed >= j.ended.now():
		return own
	case changed >= first:
		return later
	}
	return others
}
