package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/ui/draw"
	"pawl/ui/picturetest"
)

var pictures = flag.String("pictures", "", "with -update: show what changes of the screens as pictures in this folder, which is emptied")

// goldenSizes are the least that shows everything, the usual one, and a large one.
var goldenSizes = [][2]int{{40, 10}, {80, 24}, {120, 40}}

// goldenLooks are the looks in which each view is held.
var goldenLooks = []struct {
	name   string
	attire themeInputs
	on     picturetest.Ground
}{
	{"plain", themeInputs{shades: draw.Plain}, picturetest.Dark},
	{"dark", themeInputs{shades: draw.Many}, picturetest.Dark},
	{"light", themeInputs{shades: draw.Many, light: true}, picturetest.Light},
}

// Each scene in each size is played once and drawn in each look, so the looks also
// prove that a theme that is changed on the way reaches everything on the screen.
// A golden file a size holds the text, which is the same in all looks; one a look
// holds the styles.
func TestScreen(t *testing.T) {
	var album picturetest.Album
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			styles := map[string]*strings.Builder{}
			played := 0
			sizes := goldenSizes
			if strings.HasPrefix(scene.name, "side by side") {
				sizes = append(sizes[:len(sizes):len(sizes)], sideSizes...)
			}
			for _, size := range sizes {
				t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
					played++
					before, _ := os.ReadFile(goldenPath(t)) // where there is none all is new
					s := newScreen(t, size[0], size[1])
					scene.play(s)
					text := s.text()
					golden(t, text)
					for _, look := range goldenLooks {
						s.themeInputs = look.attire
						s.applyTheme()
						drawn := picturetest.Draw(s.View().Content, s.width, s.height)
						require.Equal(t, text, drawn.Text(), "the text in the look %s", look.name)
						if styles[look.name] == nil {
							styles[look.name] = &strings.Builder{}
						}
						fmt.Fprintf(styles[look.name], "── %dx%d\n%s", size[0], size[1], drawn.Styles())
						if *update && *pictures != "" {
							album.Add(fmt.Sprintf("%s, %s", t.Name(), look.name), earlier(scene.name, look.name, string(before), size), drawn, look.on)
						}
					}
				})
			}
			for _, look := range goldenLooks {
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
