package fleet

import (
	"context"
	"errors"
	"maps"
	"slices"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestWhatWasTypedIsInTheEndingHoweverTheScreenEnds(t *testing.T) {
	for name, end := range map[string]func(*program){
		"the terminal is gone":    func(p *program) { _ = p.keyboard.CloseWithError(syscall.EIO) },
		"its keys cannot be read": func(p *program) { _ = p.keyboard.CloseWithError(errors.New("no keys")) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, 80, 24, func(t *testing.T, p *program) {
				p.press("down", "m")
				p.typed("use the old names")
				end(p)
				ending := <-p.ended
				require.Error(t, p.failed)
				require.Len(t, ending.Drafts, 2, "%v", ending.Drafts)
				require.Contains(t, slices.Collect(maps.Values(ending.Drafts)), "use the old names")
				require.Equal(t, "kept", ending.Drafts["kept"])
			}, func(o *Options) { o.Drafts = map[lifecycle.SessionID]string{"kept": "kept"} })
		})
	}
}

func TestASessionThatCannotBeOpenedKeepsTheScreenAndSaysWhy(t *testing.T) {
	play(t, 80, 24, func(t *testing.T, p *program) {
		require.Contains(t, p.text(), "not opened: it was just deleted", "why one is back here")
		p.press("enter")
		require.Contains(t, p.text(), "“fix the rounding of refunds”: its folder is gone")
		p.press("down", "enter")
		ending := <-p.ended
		require.NoError(t, p.failed)
		require.Equal(t, "02", last(ending.Attach))
	}, func(o *Options) {
		o.Trouble = "not opened: it was just deleted"
		o.Openable = func(_ context.Context, id lifecycle.SessionID) error {
			if last(id) == "01" {
				return errors.New("its folder is gone")
			}
			return nil
		}
	})
}
