package ui

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// linksOf are the links in a picture: where they go, and what stands there.
func linksOf(content string) [][2]string {
	var all [][2]string
	for _, found := range regexp.MustCompile("\x1b\\]8;;([^\a]+)\a(.*?)\x1b\\]8;;\a").FindAllStringSubmatch(content, -1) {
		if text := ansi.Strip(found[2]); text != "" {
			all = append(all, [2]string{found[1], text})
		}
	}
	return all
}

func withLinks(o *Options, term *terminal.Features) { o.Workspace, term.Links = "/src/shop", true }

func TestAddressesAndFilesAreLinksThatSayWhereTheyGo(t *testing.T) {
	s := newScreen(t, 40, 40, withLinks)
	s.ask("see http://localhost:8080/x")
	s.log(root, "r1", lifecycle.Text{Text: "Look at [the docs](https://go.dev/doc) (or https://a.b/Go_(game)). Not [this](javascript:x).\n\n" +
		"And https://example.com/a/very/long/path/that/is/longer/than/the/screen?x=1&y=2."})
	s.tool("1", "edit", "refund.go", lifecycle.ToolOK, agent.DiffView{Path: "refund.go", Diff: aDiff})
	s.tool("2", "edit", "../up.go", lifecycle.ToolOK, agent.DiffView{Path: "../up.go", Diff: aDiff})
	s.tool("3", "glob", "*.go", lifecycle.ToolOK, agent.ListingView{Items: []string{"ä b.go", "a.go:12: x", "/etc/passwd"}, Total: 3})
	s.keys("ctrl+up", "enter")
	s.look()
	long := "https://example.com/a/very/long/path/that/is/longer/than/the/screen?x=1&y=2"
	got := linksOf(s.View().Content)
	var parts []string
	for _, l := range got {
		if l[0] == long {
			parts = append(parts, l[1])
		}
	}
	require.Equal(t, long, strings.Join(parts, ""), "over several lines it is one address")
	require.Greater(t, len(parts), 1)
	for _, want := range [][2]string{
		{"http://localhost:8080/x", "http://localhost:8080/x"},
		{"https://go.dev/doc", "https://go.dev/doc"},
		{"https://a.b/Go_(game)", "https://a.b/Go_(game)"},
		{"file:///src/shop/refund.go", "refund.go"},
		{"file:///src/shop/%C3%A4%20b.go", "ä b.go"},
		{"file:///src/shop/a.go", "a.go:12: x"},
	} {
		require.Contains(t, got, want)
	}
	require.Len(t, got, 6+len(parts), "%q", got)
}

// A link costs no cells, and no line is longer or torn for it.
func TestLinksMoveNothing(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		for width := 1; width <= 130; width += 1 + width/8 {
			play := func(change func(*Options, *terminal.Features)) string {
				s := newScreen(t, width, 30, func(o *Options, term *terminal.Features) {
					change(o, term)
					term.ASCII = ascii
				})
				s.worked()
				s.log(root, "r1", lifecycle.Text{Text: "See https://example.com/漢字/a/very/long/path/that/is/longer?x=1 and\n\n| a |\n|---|\n| https://go.dev/x |\n"})
				s.keys("ctrl+up")
				s.look()
				return s.text()
			}
			require.Equal(t, play(func(*Options, *terminal.Features) {}), play(withLinks))
		}
	}
}
