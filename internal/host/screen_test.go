package host

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/ui"
)

// A signal may come in the moment between two screens, and the next one may fail.
func TestTheAlternateScreenIsLeftWhereNoOtherScreenComes(t *testing.T) {
	next, broken := ui.Ending{Next: &ui.Next{}}, errors.New("broken")
	for name, c := range map[string]struct {
		endings            []ui.Ending
		signal, show, then error // while the last one is shown, of showing it, of opening the next session
		want               error
		released           bool
	}{
		"quit":                              {endings: []ui.Ending{{}}},
		"a signal in the first":             {endings: []ui.Ending{{}}, signal: broken},
		"a signal as the first ends":        {endings: []ui.Ending{next}, signal: broken, released: true},
		"the next session does not open":    {endings: []ui.Ending{next}, then: broken, want: broken, released: true},
		"quit in the second":                {endings: []ui.Ending{next, {}}},
		"the second cannot be shown":        {endings: []ui.Ending{next, {}}, show: broken, want: broken, released: true},
		"a signal between second and third": {endings: []ui.Ending{next, next}, signal: broken, released: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			shown, released := 0, false
			err := showEach(ctx, func() (ui.Ending, error) {
				if shown++; shown < len(c.endings) {
					return c.endings[shown-1], nil
				}
				if c.signal != nil {
					cancel()
				}
				return c.endings[shown-1], c.show
			}, func(ui.Ending) error { return c.then }, func() { released = true })
			require.Equal(t, c.want, err)
			require.Equal(t, c.released, released)
		})
	}
}
