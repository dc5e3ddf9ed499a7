package exporttest

import (
	"strings"
	"testing"

	"pawl/agent"
	"pawl/lifecycle"
)

// Evil are texts that try to leave their place, to act, or to hide.
var Evil = []string{
	"```\n# Heading\n<script>alert(1)</script>\n",
	"````text\n```\n`````\n# Out\n",
	"~~~\n# Out\n~~~",
	"\n\n# Out\n\n- [ ] a\n\n<details open><img src=x onerror=alert(1)>\n",
	"`` ` ``` ` ```` a | b \\| c | d |\n|---|\n",
	"![](https://evil.example/pixel.png) [x](javascript:alert(1)) https://evil.example @ada #12 fixes #12",
	"<!--", "-->", "</code></pre><h1>", "&lt;b&gt; &#60;b&#62;", "\\`code\\`", "`", "``````````",
	"\x1b]0;title\x07\x1b[2J\x1b[31mred\u009b2J\x00\x7f",
	"\u202eevil\u2066 \u200b\u2028# Out\u2029\u0085# Out\r# Out\r\n# Out\v# Out\f",
	"    # indented\n\t# tab\n> quote\n1. list\n---\n===\n",
	"\xff\xfe broken \xc3(",
	"119  2026-03-01T12:00:29.750Z  A8.1    ended   completed",
}

// Hostile is a session in which every field that can hold a text holds them all.
func Hostile(t *testing.T) *Story {
	text := strings.Join(Evil, "\n")
	s := Planting(t, text)
	s.Facts.ID, s.Facts.Title = Root, text
	call := lifecycle.CallID(text)
	s.Spawn("s-2", "r-2", Child(call, text, text, "x", false), lifecycle.Started{},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: text},
		lifecycle.Consumed{By: lifecycle.ByToolResult, InRun: lifecycle.RunID(text), Call: call})
	command := Child(call, text, text, "", true)
	command.Kind, command.Command = lifecycle.KindShell, text
	s.Spawn("s-3", "r-3", command, lifecycle.Started{},
		lifecycle.Ended{State: lifecycle.StateFailed, Result: text, Error: &lifecycle.Failure{Kind: lifecycle.FailProcess, Message: text}})
	for _, one := range Evil {
		s.said("s-2", "r-2", "<b>", lifecycle.MessageID(one), one)
		s.said(Root, "r-p1", one, "", one)
	}
	return s
}

// Planting is a session with this text in every place that holds one.
func Planting(t *testing.T, text string) *Story {
	s := NewStory(t)
	s.Facts.Title, s.Facts.Folder, s.Facts.Model = text, text, text
	s.Spawn(Root, "r-p1", lifecycle.Spec{Trigger: lifecycle.TriggerUser, Prompt: text, From: lifecycle.FromUser}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
	input := EncodedBytes(t, Object{"command": text, text: []any{text, Object{"deep": text}}})
	s.Add(Root, "r-p1", lifecycle.Thinking{Text: text}, lifecycle.Text{Text: text},
		Started("c-1", text, text, string(input)),
		lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: Root, Run: "r-p1", Call: "c-1", Tool: text, Subject: text}},
		lifecycle.PermissionDenied{Question: "q", Tool: text, Subject: text, By: lifecycle.DeciderRule, Reason: text},
		ToolEnded("c-1", text, lifecycle.ToolError, agent.CommandView{Command: text, Output: text, Note: text}),
		lifecycle.Warned{Kind: lifecycle.WarnBudget, Message: text}, lifecycle.Waiting{Why: text},
		lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: text}},
		lifecycle.MessageWithdrawn{Message: "m", Text: text})
	s.Answered(Root, "r-p1", thought(text), say(text), Call("c-1", text, string(input)), Call("c-2", text, "no JSON: "+text))
	s.result(Root, "r-p1", "c-1", text, text, true)
	s.write(Root, "r-p1", lifecycle.EntrySummary, Object{"text": text})
	s.Spawn("s-1", "r-1", Child("c-1", text, text, text, true), lifecycle.Started{}, lifecycle.Compacted{Summary: text},
		lifecycle.Ended{State: lifecycle.StateFailed, Reason: text, Partial: text, Error: &lifecycle.Failure{Kind: lifecycle.FailTool, Message: text}},
		lifecycle.NotificationQueued{})
	s.told("r-p1", "r-1")
	s.Add(Root, "r-p1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: text})
	return s
}

// Breakers are texts that try to leave their place on a page of HTML.
var Breakers = []string{
	`<script>globalThis.ran = 1</script>`, `</script><script>globalThis.ran = 1</script>`, `"><script>globalThis.ran = 1</script>`,
	`'><img src=x onerror=globalThis.ran=1>`, `" onmouseover="globalThis.ran=1" x="`, `' onfocus='globalThis.ran=1' autofocus tabindex=0 x='`,
	`</title><script>globalThis.ran=1</script>`, `</style><script>globalThis.ran=1</script>`, `</textarea></pre></code></details></main><svg onload=globalThis.ran=1>`,
	`<!--`, `--><script>globalThis.ran=1</script>`, `<![CDATA[<script>globalThis.ran=1</script>]]>`, `<svg><foreignObject><iframe srcdoc="<script>parent.ran=1</script>">`,
	`</text></svg><img src=x onerror=globalThis.ran=1>`, `&quot;&gt;&lt;script&gt;globalThis.ran=1&lt;/script&gt;`,
	`[x](javascript:globalThis.ran=1) [y](JaVaScRiPt&#58;globalThis.ran=1) [z](data:text/html,<script>globalThis.ran=1</script>) <javascript:globalThis.ran=1>`,
	`[a]( https://evil.example/"onmouseover="globalThis.ran=1 ) ![p](https://evil.example/pixel.png) [v](vbscript:x) [f](file:///etc/passwd) [r](//evil.example/x)`,
	`[good](https://go.dev/?a=1&b="2") <https://pkg.go.dev/net/html>`, "[nul](java\x00script:globalThis.ran=1) [tab](java\tscript:globalThis.ran=1)",
	`<base href="https://evil.example/"><meta http-equiv=refresh content="0;url=https://evil.example/"><link rel=stylesheet href=https://evil.example/x.css>`,
	`<style>*{display:none}</style><form action=https://evil.example><input name=q autofocus onfocus=globalThis.ran=1>`,
	"%s %d %!s(MISSING) {{.}} ${globalThis.ran=1} `${globalThis.ran=1}`", "\u2028globalThis.ran=1\u2029", "\xff\xfe<script>\xc3(</script>", "javascript:globalThis.ran=1",
	"<a href=javascript:globalThis.ran=1 id=picture class=lane name=find>x</a>",
}

// HostilePage is a session in which every field that can hold a text holds all of
// evil and of breakers.
func HostilePage(t *testing.T) *Story {
	s := Hostile(t)
	text := strings.Join(Breakers, "\n") + "\n" + strings.Join(Breakers, "\n\n")
	s.Facts.Title, s.Facts.Folder, s.Facts.Model = text, text, text
	id := lifecycle.CallID(text)
	spec := Child(id, text, text, text, true)
	spec.ParentRun = lifecycle.RunID(text)
	s.Spawn("s-9", lifecycle.RunID(text), spec, lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: text},
		Started(id, text, text, `{}`),
		lifecycle.ToolEnded{Call: id, Tool: text, Status: lifecycle.ToolStatus("ok"), View: EncodedBytes(t, Object{"kind": "diff", "view": Object{"path": text, "diff": "+" + text + "\n-" + text}})},
		lifecycle.StopRequested{Cause: lifecycle.Cause(text), Reason: text},
		lifecycle.Ended{
			State: lifecycle.StateFailed, Cause: lifecycle.Cause(text), Reason: text, Partial: text,
			Error: &lifecycle.Failure{Kind: lifecycle.FailureKind(text), Message: text},
		},
		lifecycle.NotificationQueued{}, lifecycle.NotificationDelivered{InRun: lifecycle.RunID(text), Step: 1},
		lifecycle.Consumed{By: lifecycle.Consumer(text), InRun: lifecycle.RunID(text), Call: id})
	for _, one := range Breakers {
		s.Answered("s-9", lifecycle.RunID(text), say(one), Call(lifecycle.CallID(one), one, one))
		s.result("s-9", lifecycle.RunID(text), lifecycle.CallID(one), one, one, false)
	}
	s.Answered("s-9", lifecycle.RunID(text), say(text), Call(id, text, `{"command":"x"}`))
	s.told("r-p1", lifecycle.RunID(text))
	return s
}
