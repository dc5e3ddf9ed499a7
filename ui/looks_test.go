package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/ui/draw"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

var pictures = flag.String("pictures", "", "with -update: show what changes of the screens as pictures in this folder, which is emptied")

// goldenSizes are the least that shows everything, the usual one, a large one, and one that is
// wider than lines should be.
var goldenSizes = [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 60}}

// goldenLooks are the looks in which each view is drawn. Those that add to what the others show
// hold their styles for the views of inAllLooks alone.
var goldenLooks = []struct {
	name   string
	attire terminal.Looks
	on     picturetest.Ground
	adds   bool
}{
	{name: "plain", attire: terminal.Looks{Shades: draw.Plain}, on: picturetest.Dark},
	{name: "dark", attire: terminal.Looks{Shades: draw.Many}, on: picturetest.Dark},
	{name: "light", attire: terminal.Looks{Shades: draw.Many, Light: true}, on: picturetest.Light},
	{name: "contrast", attire: terminal.Looks{Shades: draw.Many, Theme: terminal.ThemeContrast}, on: picturetest.Dark, adds: true},
	{name: "256", attire: terminal.Looks{Shades: draw.Indexed}, on: picturetest.Dark, adds: true},
	{name: "16", attire: terminal.Looks{Shades: draw.Sixteen}, on: picturetest.Dark, adds: true},
}

// inAllLooks are how the names of the scenes begin whose goldens are held in every size and look: the
// lines of runs, the dashboard, two sides, and what floats. The others have those of the usual sizes
// and looks.
var inAllLooks = []string{
	"dock", "dashboard", "side by side", "cards", "changes",
	"question", "a long command", "three ask", "why not", "always", "denied", "stranger", "quitting",
	"permissions", "cost", "sessions", "agents", "pasted", "exporting", "summarizing",
}

// seldom is the size that only the scenes in all looks have a golden for.
const seldom = 200

// Each scene in each size is played once and drawn in each look, so the looks also
// prove that a theme that is changed on the way reaches everything on the screen.
// A golden file a size holds the text, which is the same in all looks; one a look
// holds the styles of all sizes.
func TestScreen(t *testing.T) {
	var album picturetest.Album
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			styles, all := map[string]*strings.Builder{}, slices.ContainsFunc(inAllLooks, func(name string) bool { return strings.HasPrefix(scene.name, name) })
			played := 0
			sizes := goldenSizes
			if strings.HasPrefix(scene.name, "side by side") {
				sizes = append(sizes[:len(sizes):len(sizes)], narrowestSides)
			}
			for _, size := range sizes {
				t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
					before, _ := os.ReadFile(goldenPath(t)) // where there is none all is new
					s := newScreen(t, size[0], size[1])
					scene.play(s)
					text := s.text()
					held := all || size[0] < seldom
					if held {
						golden(t, text)
					}
					for _, look := range goldenLooks {
						if look.adds && !all {
							continue
						}
						s.looks = look.attire
						s.applyTheme()
						s.picture.ready = false
						drawn := picturetest.Draw(s.View().Content, s.width, s.height)
						require.Equal(t, text, drawn.Text(), "the text in the look %s", look.name)
						if !held {
							continue
						}
						if styles[look.name] == nil {
							styles[look.name] = &strings.Builder{}
						}
						fmt.Fprintf(styles[look.name], "── %dx%d\n%s", size[0], size[1], drawn.Styles())
						if *update && *pictures != "" {
							album.Add(fmt.Sprintf("%s, %s", t.Name(), look.name), earlier(scene.name, look.name, string(before), size), drawn, look.on)
						}
					}
					played++
				})
			}
			for _, look := range goldenLooks {
				if look.adds && !all {
					continue
				}
				t.Run(look.name, func(t *testing.T) {
					if played < len(sizes) {
						t.Skip("not all sizes were played")
					}
					golden(t, styles[look.name].String())
				})
			}
		})
	}
	if *update && *pictures != "" {
		page, err := album.Write(*pictures)
		require.NoError(t, err)
		t.Log("what has changed, as pictures: " + page)
	}
}

// earlier is a screen as its golden files have it, nil where there are none.
func earlier(scene, look, text string, size [2]int) *picturetest.Screen {
	styles, err := os.ReadFile(filepath.Join("testdata", "TestScreen", strings.ReplaceAll(scene, " ", "_"), look+".golden"))
	if err != nil || text == "" {
		return nil
	}
	_, part, _ := strings.Cut(string(styles), fmt.Sprintf("── %dx%d\n", size[0], size[1]))
	part, _, _ = strings.Cut(part, "\n── ")
	screen := picturetest.Read(text, part, size[0], size[1])
	return &screen
}
