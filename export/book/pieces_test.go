package book

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/mask"
	"pawl/lifecycle"
)

func TestStreamsDoNotMix(t *testing.T) {
	p := NewPieces(mask.New(nil))
	text := func(run lifecycle.RunID, s string) string {
		return p.Mask(lifecycle.Record{Run: run, Event: lifecycle.Text{Text: s}}).Event.(lifecycle.Text).Text
	}
	require.Equal(t, "key "+mask.Masked, text("r-1", "key sk-ant-"))
	require.Equal(t, "api03-abc is a name", text("r-2", "api03-abc is a name"))
	require.Equal(t, " and more", text("r-1", "api03-abcdef and more"))
	p.Mask(lifecycle.Record{Run: "r-1", Event: lifecycle.StepStarted{Step: 2}})
	require.Len(t, p.ends, 1, "a step that is over is forgotten")
}
