package ui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/export/formats"
	"pawl/ui/terminal"
)

// written is where the exports of these tests go.
const written = "/src/shop/a-folder-with-a-long-name/pawl-0198f0a2-7c1e-7abc-8def-0123456789ab-2.html"

func exporting(o *Options, term *terminal.Features) {
	withLinks(o, term)
	o.Export = func(_ context.Context, as formats.Options, _ string, _ func(done, total int64)) (string, error) {
		if as.Brief {
			return "", errors.New("no space left on device")
		}
		return written, nil
	}
}

func TestWhereAnExportWentIsShownWholeIsALinkAndCanBeCopied(t *testing.T) {
	for _, width := range []int{40, 80, 160} {
		s := newScreen(t, width, 24, exporting)
		s.sent("/copy")
		require.Contains(t, s.text(), "nothing exported yet")
		s.keys("ctrl+s")
		unbroken := strings.NewReplacer("\n", "", " ", "").Replace(s.text())
		require.Contains(t, unbroken, "exportedto"+written, "%d columns", width)
		require.Contains(t, s.text(), "/copy copies the path")
		linked := ""
		for _, link := range linksOf(s.View().Content) {
			require.Equal(t, "file://"+written, link[0])
			linked += link[1]
		}
		require.Equal(t, written, linked)
		s.typed("/copy")
		require.Equal(t, written, s.clipped("enter"))
		s.keys("ctrl+s")
		s.typed("x")
		require.NotContains(t, s.text(), "exported to", "a key takes the line away, and the path can still be copied")
		s.keys("ctrl+u")
		s.typed("/copy")
		require.Equal(t, written, s.clipped("enter"))
	}
}

func TestAnExportThatFailsIsOneLineAndLeavesThePathOfTheLast(t *testing.T) {
	s := newScreen(t, 80, 24, exporting)
	s.keys("ctrl+s")
	s.commanded()
	s.sent("/export md brief")
	require.Contains(t, s.text(), "not exported: no space left on device")
	s.keys("ctrl+u")
	s.typed("/copy")
	require.Equal(t, written, s.clipped("enter"))
	s.sent("/export md breif")
	require.Contains(t, s.text(), "breif is not an export format")
}

// The line says /copy: a recording has no composer to type it in, and lists it.
func TestThePathOfARecordingsExportCanBeCopied(t *testing.T) {
	s := aRecording(t).opened(t, 80, 24)
	s.options.Export = func(context.Context, formats.Options, string, func(done, total int64)) (string, error) {
		return written, nil
	}
	s.keys("ctrl+s")
	require.Contains(t, s.text(), "/copy copies the path")
	s.keys("/")
	require.NotContains(t, s.text(), "the commands:", "the list does not lead to itself")
	s.typed("copy")
	require.Equal(t, written, s.clipped("enter"))
}

func TestALongExportShowsHowMuchOfItIsDone(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		s := newScreen(t, width, 24, exporting)
		release := make(chan struct{})
		s.options.Export = func(_ context.Context, _ formats.Options, _ string, report func(done, total int64)) (string, error) {
			for done := range int64(4_200) {
				report(done+1, 10_000)
			}
			<-release
			report(10_000, 10_000)
			return written, nil
		}
		parts, ok := s.exportAs(formats.Options{}, "", retype{})().(tea.BatchMsg)
		require.True(t, ok)
		ended := make(chan tea.Msg, 1)
		go func() { ended <- parts[0]() }()
		steps, more := 0, parts[1]
		for steps < 42 {
			_, more = s.Update(more())
			steps++
		}
		require.Regexp(t, `exporting  ━+─+  42 %\n`, s.text())
		close(release)
		s.send(<-ended)
		require.NotContains(t, s.text(), "42 %")
		require.Contains(t, s.text(), "exported to")
		_, more = s.Update(more())
		require.NotContains(t, s.text(), "━━", "what comes late is not shown")
		require.Nil(t, more(), "and nothing is waited for")
	}
}

func TestAShortExportShowsNoBar(t *testing.T) {
	steps := make(chan exportStep, exportSteps)
	reporter(steps)(longExport/2, longExport-1)
	require.Empty(t, steps)
}
