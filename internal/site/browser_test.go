//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/browsertest"
	"pawl/internal/soaktest"
)

// faint lists the texts of a page that stand out too little from what is behind them, by WCAG's measure.
const faint = `(() => {
	const parts = color => color.match(/[\d.]+/g).map(Number);
	const light = color => parts(color).slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (parts(c)[3] !== 0) return c; } return "rgb(255, 255, 255)"; };
	return [...document.querySelectorAll("body *")].filter(e =>
		[...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && e.checkVisibility() && getComputedStyle(e).opacity === "1").filter(e => {
			const [a, b] = [light(getComputedStyle(e).color), light(behind(e))].sort((x, y) => y - x);
			return (a + .05) / (b + .05) < 4.5;
		}).map(e => e.outerHTML.slice(0, 100));
})()`

func TestEveryPageIsReadFromItsFileLightDarkNarrowAndOnPaper(t *testing.T) {
	c := browsertest.New(t)
	s, folder := written(t)
	for _, p := range s.pages {
		c.OpenFile(filepath.Join(folder, p.Out()))
		grounds := map[string]bool{}
		for _, scheme := range []string{"light", "dark"} {
			c.Show(scheme, "screen", 1200)
			var got struct {
				Title, Ground, Current string
				Faint                  []string
				Next                   int
			}
			c.Ask(`({Title: document.querySelector("h1").textContent, Ground: getComputedStyle(document.body).backgroundColor, Faint: `+faint+`,
				Current: document.querySelector("#pages [aria-current]").textContent, Next: document.querySelectorAll("footer a").length})`, &got)
			require.Equal(t, p.Title, got.Title)
			require.Equal(t, p.Title, got.Current)
			require.Empty(t, got.Faint, "%s, %s", p.path, scheme)
			require.GreaterOrEqual(t, got.Next, 1)
			grounds[got.Ground] = true
		}
		require.Len(t, grounds, 2)
		var wide int
		c.Show("light", "screen", 400)
		c.Ask(`document.documentElement.scrollWidth`, &wide)
		require.LessOrEqual(t, wide, 400, "%s is wider than a telephone", p.path)
		c.Show("light", "print", 700)
		var printed []string
		c.Ask(`[...document.body.children].filter(e => e.checkVisibility()).map(e => e.tagName)`, &printed)
		require.Equal(t, []string{"MAIN"}, printed)
		c.Show("light", "screen", 1200)
		c.RequireQuiet()
		for _, asked := range c.Requests() {
			require.True(t, strings.HasPrefix(asked, "file://"+folder) || strings.HasPrefix(asked, "data:"), asked)
		}
	}
}

func TestTheSearchFindsASectionAndLeadsThere(t *testing.T) {
	c := browsertest.New(t)
	_, folder := written(t)
	c.OpenFile(filepath.Join(folder, "docs", "screen.html"))
	c.Await(`document.hasFocus()`)
	c.Press("/", 191)
	c.Await(`document.activeElement.id === "find"`)
	c.Do("Input.insertText", browsertest.Object{"text": "TIMELINE to scale"}, nil)
	c.Await(`document.querySelector("#found a mark")`)
	c.Press("Escape", 27)
	c.Await(`!document.querySelector("#found a")`)
	c.Do("Input.insertText", browsertest.Object{"text": "what stops"}, nil)
	c.Await(`document.querySelector("#found a")?.textContent.startsWith("Keys · What stops")`)
	c.Press("ArrowDown", 40)
	c.Await(`document.activeElement.matches("#found a")`)
	c.Press("Enter", 13)
	c.Await(`location.pathname.endsWith("/docs/keys.html") && location.hash === "#what-stops" && document.readyState === "complete"`)
	c.Ask(`const find = document.getElementById("find"); find.value = "nothingofthatname"; find.dispatchEvent(new Event("input"))`, nil)
	var found string
	c.Ask(`document.getElementById("found").textContent`, &found)
	require.Equal(t, "Nothing found.", found)
	c.RequireQuiet()
}

func TestTheSwitchOfTheThemeHoldsOnTheNextPage(t *testing.T) {
	c := browsertest.New(t)
	_, folder := written(t)
	c.Show("light", "screen", 500)
	c.OpenFile(filepath.Join(folder, "index.html"))
	const dark = `getComputedStyle(document.body).backgroundColor === "rgb(22, 24, 29)"`
	c.Ask(`document.getElementById("theme").click()`, nil)
	c.Await(dark)
	c.OpenFile(filepath.Join(folder, "docs", "keys.html"))
	c.Await(dark)
	c.Ask(`document.getElementById("menu").click()`, nil)
	c.Await(`document.getElementById("pages").checkVisibility()`)
	c.Ask(`document.getElementById("theme").click()`, nil)
	c.Await(`!(` + dark + `)`)
	c.RequireQuiet()
}

func TestAxeFindsNothingWrongWithAPage(t *testing.T) {
	version := browsertest.RequireAxe(t)
	c := browsertest.New(t)
	s, folder := written(t)
	for i, p := range s.pages {
		c.Show([]string{"dark", "light"}[i%2], "screen", 1200)
		c.OpenFile(filepath.Join(folder, p.Out()))
		c.Ask(`const find = document.getElementById("find"); find.value = "stop"; find.dispatchEvent(new Event("input"))`, nil)
		_, found := c.Axe()
		require.Empty(t, found, p.path)
	}
	soaktest.Counterpart(t, "axe-core", version, len(s.pages))
}
