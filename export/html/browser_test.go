package html

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/export/exporttest"
	"pawl/internal/browsertest"
	"pawl/lifecycle"
)

// Every field of a session that can hold a text tries to run a script, to load
// something or to break out of its place: in a real browser none of it happens.
func TestAHostileSessionDoesNothingInABrowser(t *testing.T) {
	c := browsertest.New(t)
	s := exporttest.HostilePage(t)
	c.Open(written(s, s.Upto()))
	c.Ask(`(() => {
		for (const e of document.querySelectorAll("*")) {
			for (const name of ["mouseover", "click", "focus", "error", "load", "toggle", "input"]) {
				if (name === "click" && e.closest("a")) continue;
				e.dispatchEvent(new Event(name, {bubbles: true}));
			}
		}
		for (const d of document.querySelectorAll("details")) d.open = true;
	})()`, nil)
	c.Await(`true`) // whatever would come of it has come
	var found struct {
		Ran     bool
		Scripts int
		Acting  []string
		Title   string
	}
	c.Ask(`({
		Ran: "ran" in globalThis, Scripts: document.scripts.length, Title: document.title,
		Acting: [...document.querySelectorAll("*")].filter(e =>
			[...e.attributes].some(a => a.name.startsWith("on") || a.name === "style" && e.id !== "picture" || a.name === "src" || a.name === "srcdoc") ||
			["IFRAME", "OBJECT", "EMBED", "IMG", "FORM", "BASE", "LINK", "FOREIGNOBJECT", "USE", "IMAGE", "ANIMATE"].includes(e.tagName.toUpperCase())).map(e => e.outerHTML.slice(0, 200)),
	})`, &found)
	require.False(t, found.Ran, "a script of the session ran")
	require.Equal(t, 1, found.Scripts)
	require.Contains(t, found.Title, "<script>globalThis.ran")
	require.Empty(t, found.Acting) // the zoom sets the style of the picture alone
	c.RequireCalm()
}

// If something got through after all, the page's policy still stops it; and this is
// how the test above would have seen it.
func TestThePolicyOfAPageRunsAndLoadsNothingElse(t *testing.T) {
	c := browsertest.New(t)
	s := exporttest.NewStory(t)
	c.Open(written(s, 0))
	c.RequireCalm()
	var stopped []string
	c.Ask(`new Promise(done => {
		const stopped = new Set();
		document.addEventListener("securitypolicyviolation", e => {
			stopped.add(e.effectiveDirective);
			if (stopped.size === 5) done([...stopped].sort());
		});
		setTimeout(() => done([...stopped].sort()), 45000); // so that a failure has its name
		const add = html => document.body.insertAdjacentHTML("beforeend", html);
		add("<img src='https://evil.example/pixel.png' onerror='globalThis.ran = 1'>");
		add("<p style='color: red'>");
		add("<iframe src='https://evil.example/'></iframe>");
		const script = document.createElement("script");
		script.textContent = "globalThis.ran = 1";
		document.body.append(script);
	})`, &stopped)
	require.Equal(t, []string{"frame-src", "img-src", "script-src-attr", "script-src-elem", "style-src-attr"}, stopped)
	var ran bool
	c.Ask(`"ran" in globalThis`, &ran)
	require.False(t, ran)
	require.True(t, c.Said("Log.entryAdded"))
}

// A mark stands where its record says, also when the picture is zoomed.
func TestTheTimelineIsToScale(t *testing.T) {
	c := browsertest.New(t)
	s := exporttest.Plot(t)
	c.Open(written(s, s.Upto()))
	type seen struct {
		Lane  int
		Class string
		X     float64 // parts of the picture
	}
	look := func() []seen {
		var all []seen
		c.Ask(`(() => {
			const box = document.getElementById("picture").getBoundingClientRect(), all = [];
			document.querySelectorAll(".lane").forEach((lane, i) => lane.querySelectorAll("path, rect.model, rect.tool").forEach(mark => {
				const at = mark.getBoundingClientRect(), left = mark.tagName === "path" ? (at.left + at.right) / 2 : at.left;
				all.push({Lane: i, Class: mark.classList[0], X: (left - box.left) / box.width});
			}));
			return all;
		})()`, &all)
		return all
	}
	first, last := s.Records[0].Time, s.Records[len(s.Records)-1].Time
	x := func(at time.Time) float64 { return 0.01 + 0.98*float64(at.Sub(first))/float64(last.Sub(first)) }
	lane := map[lifecycle.RunID]int{}
	for i, run := range s.Runs {
		lane[run.ID] = i
	}
	want := func(all []seen, of lifecycle.RunID, class string, at time.Time) {
		t.Helper()
		nearest := 1.0
		for _, one := range all {
			if one.Lane == lane[of] && one.Class == class {
				nearest = min(nearest, max(one.X-x(at), x(at)-one.X))
			}
		}
		require.Less(t, nearest, 0.003, "%s of %s at %s", class, of, at) // three pixels of a thousand
	}
	for range 2 {
		all := look()
		for _, rec := range s.Records {
			switch e := rec.Event.(type) {
			case lifecycle.StepStarted:
				want(all, rec.Run, "model", rec.Time)
			case lifecycle.ToolStarted:
				want(all, rec.Run, "tool", rec.Time)
			case lifecycle.Ended:
				want(all, rec.Run, "end", rec.Time)
			case lifecycle.StopRequested:
				want(all, rec.Run, "stop", rec.Time)
			case lifecycle.PermissionDenied:
				want(all, rec.Run, "denied", rec.Time)
			case lifecycle.Warned, lifecycle.Overdue, lifecycle.Nudged:
				want(all, rec.Run, "warning", rec.Time)
			case lifecycle.NotificationDelivered:
				want(all, e.InRun, "told", rec.Time)
			}
		}
		var wide, pane float64
		c.Ask(`document.getElementById("closer").click(); document.getElementById("picture").getBoundingClientRect().width`, &wide)
		c.Ask(`document.getElementById("pane").clientWidth`, &pane)
		require.InDelta(t, 1.6, wide/pane, 0.01)
		c.Ask(`document.getElementById("whole").click()`, nil)
	}
	c.RequireCalm()
}

// The picture is one stop of the tab key; arrows go on from there, and Enter leads
// to the place in the transcripts, which unfolds.
func TestTheTimelineIsReachedByKeys(t *testing.T) {
	c := browsertest.New(t)
	s := exporttest.Plot(t)
	c.Open(written(s, s.Upto()))
	const marked = `document.activeElement.closest("#picture a")?.querySelector("title").textContent`
	c.Ask(`document.getElementById("whole").focus()`, nil)
	c.Await(`document.hasFocus()`)
	c.Press("Tab", 9)
	c.Await(marked + `?.startsWith("P1 · ")`)
	for _, one := range []string{"ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"} {
		c.Press(one, map[string]int{"ArrowDown": 40, "ArrowRight": 39}[one])
	}
	c.Await(marked + `?.startsWith("A2.1 · ")`)
	c.Press("Enter", 13)
	c.Await(`location.hash && document.querySelector(location.hash).checkVisibility()`)
	c.RequireCalm()
}

func TestTheTranscriptsAreSearched(t *testing.T) {
	c := browsertest.New(t)
	s := exporttest.Plot(t)
	c.Open(written(s, s.Upto()))
	var found struct {
		Count string
		Open  bool
	}
	c.Ask(`document.getElementById("find").focus()`, nil)
	c.Await(`document.hasFocus()`)
	c.Do("Input.insertText", browsertest.Object{"text": "two DEFECTS"}, nil)
	c.Press("Enter", 13)
	c.Await(`document.querySelector(".hit")`)
	c.Ask(`({Count: document.getElementById("found").textContent, Open: document.querySelector(".hit").checkVisibility()})`, &found)
	require.Regexp(t, `^1 of [1-9]`, found.Count)
	require.True(t, found.Open)
	c.RequireCalm()
}

// Without its script a page shows all that it has: folds open, marks lead to their
// places, and nothing stands there that does not work.
func TestAPageWorksWithoutItsScript(t *testing.T) {
	c := browsertest.New(t)
	s := exporttest.Plot(t)
	c.Do("Emulation.setScriptExecutionDisabled", browsertest.Object{"value": true}, nil)
	c.Open(written(s, s.Upto()))
	var found struct {
		Marks, Tools int
		Place        string
	}
	c.Ask(`({
		Marks: document.querySelectorAll("#picture a[href^='#'] > title").length,
		Tools: [...document.querySelectorAll("button, input")].filter(e => e.checkVisibility()).length,
		Place: [...document.querySelectorAll("#picture a")].find(a => a.textContent.startsWith("A2.1 · shell")).getAttribute("href"),
	})`, &found)
	require.Greater(t, found.Marks, 50)
	require.Zero(t, found.Tools)
	var open bool
	c.Ask(`location.href = "`+found.Place+`"; document.querySelector("`+found.Place+`").checkVisibility()`, &open)
	require.True(t, open, "the place is still folded")
	c.RequireCalm()
}

// A page in brief and one without content are as calm as the whole one, whatever is in
// the session; in brief, marks lead to the rows of the table.
func TestPagesInBriefAndWithoutContentAreCalm(t *testing.T) {
	c := browsertest.New(t)
	for _, s := range []*exporttest.Story{exporttest.Plot(t), exporttest.HostilePage(t)} {
		for _, as := range []struct{ brief, noContent bool }{{true, false}, {false, true}, {true, true}} {
			c.Open(writtenIn(s, as.brief, as.noContent))
			c.Await(`document.querySelectorAll("#picture a").length > 20`)
			var found struct {
				Ran, Buttons bool
				Dead         []string
			}
			c.Ask(`({
				Ran: "ran" in globalThis,
				Buttons: ["closer", "wider", "whole"].every(id => (document.getElementById(id).click(), true)),
				Dead: [...document.querySelectorAll("a[href^='#']")].map(a => a.getAttribute("href")).filter(at => !document.querySelector(at)),
			})`, &found)
			require.False(t, found.Ran)
			require.True(t, found.Buttons)
			require.Empty(t, found.Dead)
			c.RequireCalm()
		}
	}
	s := exporttest.Plot(t)
	c.Open(writtenIn(s, true, false))
	var row string
	c.Ask(`document.querySelector([...document.querySelectorAll("#picture a")].find(a => a.textContent.startsWith("A2.1 · shell")).getAttribute("href")).innerText`, &row)
	require.Contains(t, row, "map callers")
	c.RequireCalm()
}
