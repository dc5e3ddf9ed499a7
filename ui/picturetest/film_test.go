package picturetest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAFilmHoldsEachLineOnceAndSaysWhenItIsSeen(t *testing.T) {
	var f Film
	f.Add(Draw("title\none", 20, 3), time.Hour)
	f.Add(Draw("title\none", 20, 3), time.Hour+time.Second)
	f.Add(Draw("title\n\x1b[1mtwo\x1b[m\n\x1b[7mthree\x1b[m", 20, 3), time.Hour+2*time.Second)
	f.Poster()
	f.Add(Draw("title\n<one>", 20, 3), time.Hour+3*time.Second)
	f.Add(Draw("title\none", 20, 3), time.Hour+3*time.Second+shortest/2)
	f.Add(Draw("title\n<four> & more", 20, 3), time.Hour+4*time.Second)
	picture := f.SVG(Dark, 4*time.Second)
	for words, times := range map[string]int{">title<": 1, ">one<": 1, ">two<": 1, "&lt;four&gt; &amp; more": 1, "&lt;one&gt;": 0} {
		require.Equal(t, times, strings.Count(picture, words), words)
	}
	require.Contains(t, picture, "25%,50%{visibility:hidden}0%,37.5%{visibility:visible}", "one, of eight seconds")
	require.Equal(t, 2, strings.Count(picture, ` p">`), "the lines of the poster that come and go")
	require.Contains(t, picture, "prefers-reduced-motion")
	RequireSafe(t, picture)
}

func TestAPictureThatReachesOutIsRefused(t *testing.T) {
	for _, part := range []string{
		"<script/>", `<a href="https://example.com"/>`, `<image href="x.png"/>`, `<g onload="x()"/>`,
		"<style>@import 'x'</style>", "<style>.a{background:url(x)}</style>", "<foreignObject/>", "<g>",
	} {
		require.Error(t, unsafe("<svg>"+part+"</svg>"), part)
	}
	require.NoError(t, unsafe(`<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg>`))
}
