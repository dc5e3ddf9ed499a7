package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/ui/draw"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

// goldenSizes are the least that shows everything, the usual one, a large one, and a wide one.
var goldenSizes = [][2]int{{40, 10}, {80, 24}, {120, 40}, {200, 60}}

var goldenLooks = []struct {
	name  string
	looks terminal.Looks
	on    picturetest.Ground
}{
	{"plain", terminal.Looks{Shades: draw.Plain}, picturetest.Dark},
	{"dark", terminal.Looks{Shades: draw.Many}, picturetest.Dark},
	{"light", terminal.Looks{Shades: draw.Many, Light: true}, picturetest.Light},
	{"contrast", terminal.Looks{Shades: draw.Many, Theme: terminal.ThemeContrast}, picturetest.Dark},
	{"256", terminal.Looks{Shades: draw.Indexed}, picturetest.Dark},
	{"16", terminal.Looks{Shades: draw.Sixteen}, picturetest.Dark},
}

// scenes are the main views, and how one gets there.
var scenes = []struct {
	name string
	play func(*screen)
}{
	{"empty", func(s *screen) { s.send(Picture{}) }},
	{"list", func(s *screen) {
		p := twelve(epoch)
		p.Trouble = []string{"the host of …a3f2 does not answer: pawl doctor lists the hosts"}
		s.send(p)
		s.keys("down", "down")
		s.pass(3 * time.Second)
	}},
	{"list alone", func(s *screen) {
		p := twelve(epoch)
		p.DayCost = 17.5
		s.send(p)
		if s.layout().shown() {
			s.keys("space")
		}
		s.keys("end", "up", "x")
	}},
	{"question", func(s *screen) {
		s.send(twelve(epoch))
		if !s.layout().shown() {
			s.keys("space")
		}
		s.pass(3 * time.Second)
	}},
	{"question with a change", func(s *screen) {
		s.send(twelve(epoch))
		s.keys("tab")
		if !s.layout().shown() {
			s.keys("space")
		}
	}},
	{"look in", func(s *screen) {
		s.send(twelve(epoch))
		s.keys("down", "down", "down")
		if !s.layout().shown() {
			s.keys("space")
		}
		s.keys("x")
	}},
	{"ended", func(s *screen) {
		s.send(twelve(epoch))
		s.keys("home", "down", "down", "down", "down", "down", "down", "m")
	}},
	{"filter", func(s *screen) {
		s.send(twelve(epoch))
		s.keys("/")
		s.typed("shop re")
	}},
	{"filtered", func(s *screen) {
		s.send(twelve(epoch))
		s.keys("/")
		s.typed("pawl")
		s.keys("enter")
	}},
	{"write", func(s *screen) {
		s.send(twelve(epoch))
		s.keys("tab", "tab", "m")
		s.typed("push to a branch of its own, and never to main: somebody else works there. 漢字 too, and so on")
	}},
	{"begin", func(s *screen) {
		s.send(twelve(epoch))
		s.keys("down", "down", "n")
	}},
	{"workers", func(s *screen) {
		p := twelve(epoch)
		p.Workers = []Worker{
			{Name: "build1", Version: "0.12", Fits: true, Busy: 12, Slots: 12, Load: 11.4, Labels: []string{"linux"}},
			{Name: "gpu-box.lab.example", Version: "0.12", Fits: true, Busy: 3, Slots: 8, Load: 2.25, Labels: []string{"gpu", "linux"}},
			{Name: "mac mini", Version: "0.11 (0a1b2c3d4e5f)", Slots: 4, Load: -1},
		}
		s.send(p)
		s.keys("w")
		s.pass(heldFor)
	}},
	{"help", func(s *screen) { s.send(twelve(epoch)); s.keys("?") }},
}

// Each scene in each size is played once and drawn in each look.
func TestFleet(t *testing.T) {
	var album picturetest.Album
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			styles, played := map[string]*strings.Builder{}, 0
			for _, size := range goldenSizes {
				t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
					s := newScreen(size[0], size[1])
					scene.play(s)
					text := s.text()
					require.Len(t, strings.Split(s.View().Content, "\n"), size[1], "a line a row")
					before, _ := os.ReadFile(filepath.Join("testdata", filepath.FromSlash(t.Name())+".golden"))
					golden(t, text)
					for _, look := range goldenLooks {
						s.looks = look.looks
						s.applyTheme()
						drawn := s.drawn()
						require.Equal(t, text, drawn.Text(), "the text in the look %s", look.name)
						if styles[look.name] == nil {
							styles[look.name] = &strings.Builder{}
						}
						fmt.Fprintf(styles[look.name], "── %dx%d\n%s", size[0], size[1], drawn.Styles())
						if *update && *pictures != "" && (look.name == "dark" || look.name == "light") {
							was := picturetest.Draw(string(before), size[0], size[1])
							album.Add(t.Name()+", "+look.name, &was, drawn, look.on)
						}
					}
					played++
				})
			}
			if played < len(goldenSizes) {
				return
			}
			for _, look := range goldenLooks {
				t.Run(look.name, func(t *testing.T) { golden(t, styles[look.name].String()) })
			}
		})
	}
	if *update && *pictures != "" {
		page, err := album.Write(*pictures)
		require.NoError(t, err)
		t.Log("what has changed, as pictures: " + page)
	}
}

func TestFleetInASCII(t *testing.T) {
	for _, scene := range scenes {
		s := newScreen(120, 40, func(_ *Options, term *terminal.Features) { term.ASCII = true })
		scene.play(s)
		for _, r := range s.View().Content {
			require.LessOrEqual(t, r, rune(0x7e), "%s: %q", scene.name, r)
		}
	}
}
