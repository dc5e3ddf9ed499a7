package ui

import (
	"fmt"
	"strings"
	"testing"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
	"pawl/ui/transcript"
)

// history fills a conversation with some tokens of text, four bytes each.
func history(s *screen, tokens int) {
	s.ask("go")
	paragraph := strings.Repeat("word word word word. ", 20) + "\n\n- one\n- two\n\n```go\nfunc a() {}\n```\n"
	step := 1
	for have := 0; have < tokens*4; have += len(paragraph) {
		step++
		s.log(root, "r1", lifecycle.Text{Text: paragraph}, lifecycle.StepStarted{Step: step})
	}
	s.View()
}

func BenchmarkToken(b *testing.B) {
	for _, tokens := range []int{0, 200_000} {
		b.Run(fmt.Sprintf("history=%d", tokens), func(b *testing.B) {
			s := newScreen(b, 120, 40, func(_ *Options, term *terminal.Features) { term.Colour = true })
			history(s, tokens)
			step := s.runs.Latest(root).Step
			var text strings.Builder
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%500 == 0 {
					text.Reset()
					s.talk(root).Close()
					step++
					s.takeUpdates(lifecycle.Updates{Records: s.records(root, "r1", lifecycle.StepStarted{Step: step})})
				}
				text.WriteString("token ")
				if i%60 == 59 {
					text.WriteString("\n\n")
				}
				s.Update(progress(step, text.String()))
				s.View()
			}
		})
	}
}

func BenchmarkViewWithFiveCards(b *testing.B) {
	s := newScreen(b, 120, 40, func(_ *Options, term *terminal.Features) { term.Colour = true })
	history(s, 20_000)
	for i := range 5 {
		s.delegate(fmt.Sprint("agent ", i), true)
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Update(terminal.Tick(s.now))
		s.View()
	}
}

// A frame of two sessions in each of which a token is new, and of one of them alone.
func BenchmarkTokenSideBySide(b *testing.B) {
	for _, split := range []string{"off", ""} {
		b.Run("split="+split, func(b *testing.B) {
			s := newScreen(b, 200, 60, func(o *Options, term *terminal.Features) { term.Colour, o.Split = true, split })
			history(s, 20_000)
			s.delegate("audit", true)
			for i := range 200 {
				s.log("audit", "run audit", lifecycle.StepStarted{Step: i + 2}, lifecycle.Text{Text: strings.Repeat("word ", 100)})
			}
			s.keys("tab")
			step := s.runs.Latest(root).Step
			var text strings.Builder
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%200 == 0 {
					text.Reset()
				}
				text.WriteString("token ")
				s.Update(lifecycle.Updates{Progress: []lifecycle.Progress{
					{Session: root, Run: "r1", Step: step, Text: text.String()},
					{Session: "audit", Run: "run audit", Step: 201, Text: text.String()},
				}})
				s.View()
			}
		})
	}
}

// A session of 10,000 messages: a frame of it, and its older records in pieces.
func BenchmarkAfter5000Turns(b *testing.B) {
	s := newScreen(b, 120, 40, func(_ *Options, term *terminal.Features) { term.Colour = true })
	for turn := range 5000 {
		s.answered(turn, "An answer with `code`, **bold** words and a list:\n\n- one\n- two\n")
	}
	s.ask("go")
	b.Run("frame", func(b *testing.B) {
		for b.Loop() {
			s.Update(terminal.Tick(s.now))
			s.View()
		}
	})
	b.Run("all-older-records", func(b *testing.B) {
		all := s.talk(root).Records
		for b.Loop() {
			talk := transcript.NewConversation(root, s.runs)
			for at := len(all); !talk.Complete; at = max(0, at-searchedAtOnce) {
				talk.Prepend(all[max(0, at-searchedAtOnce):at])
			}
		}
	})
}

// One answer of 20,000 tokens, token by token: what the next one costs may not grow with
// what has come of it.
func BenchmarkTokenOfALongAnswer(b *testing.B) {
	for name, piece := range map[string]string{
		"prose": strings.Repeat("some words of prose ", 20) + "\n\n",
		"links": strings.Repeat("see https://go.dev/doc/ there ", 14) + "\n\n",
		"code":  "\tfmt.Println(\"a line of a file that is written whole\")\n",
		"list":  "- an item of a list that goes on, with **weight**\n",
		"line":  "words without an end, ",
	} {
		for _, tokens := range []int{1_000, 20_000} {
			b.Run(fmt.Sprintf("%s/have=%d", name, tokens), func(b *testing.B) {
				s := newScreen(b, 120, 40, withLinks, func(_ *Options, term *terminal.Features) { term.Colour = true })
				s.ask("go")
				var text strings.Builder
				if name == "code" {
					text.WriteString("```go\n")
				}
				for text.Len() < tokens*4 {
					text.WriteString(piece)
				}
				have := text.String()
				s.Update(progress(1, have))
				s.View()
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					i++
					s.Update(progress(1, have+strings.Repeat(piece, i/10%20)+piece[:i%10+1]))
					s.View()
				}
			})
		}
	}
}

// BenchmarkMarkdown draws answers of every sort of block.
func BenchmarkMarkdown(b *testing.B) {
	for _, size := range []int{14 << 10, 80 << 10} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			text, p := everySort(size), draw.NewProse(draw.NewTheme(draw.Tint{Dark: true, Shades: draw.Many}), false)
			b.ReportAllocs()
			b.SetBytes(int64(size))
			for b.Loop() {
				p.Render(text, 118)
			}
		})
	}
}
