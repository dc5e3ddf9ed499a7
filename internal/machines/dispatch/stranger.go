package dispatch

import (
	"errors"

	"pawl/internal/machines"
)

// stranger says, in words for people and models, who has sent what must not be obeyed. Nothing that
// it has sent is repeated, but for a key.
func stranger(err error) string {
	var distrust *machines.TrustError
	switch {
	case errors.As(err, &distrust) && distrust.Key != "":
		return "a worker with the key " + distrust.Key + ": add that to the file that workers in [remote] names"
	case errors.As(err, &distrust) && distrust.Unsigned:
		return "a worker without credentials: give it some with --creds"
	}
	return "somebody whose signature does not fit"
}
