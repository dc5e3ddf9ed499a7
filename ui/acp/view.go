package acp

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent"
	"pawl/agent/sanitize"
)

// viewOf reads a stored view; nil where it cannot be read.
func viewOf(stored json.RawMessage) agent.View {
	view, err := agent.DecodeView(stored)
	if err != nil {
		slog.Error("read a view", "error", err)
	}
	return view
}

// content is a view for an editor. A todo list is sent as the plan, and a run by its card.
func (s *session) content(view agent.View) []sdk.ToolCallContent {
	switch v := view.(type) {
	case nil, agent.TodoView, agent.RunView:
	case agent.PlainView:
		return []sdk.ToolCallContent{prose(v.Text)}
	case agent.CommandView:
		return []sdk.ToolCallContent{prose(command(v))}
	case agent.DiffView:
		return s.changes(v)
	case agent.ListingView:
		return []sdk.ToolCallContent{prose(listing(v))}
	}
	return nil
}

// prose is Markdown text for a person.
func prose(text string) sdk.ToolCallContent {
	return sdk.ToolContent(sdk.TextBlock(string(sanitize.Paste(text))))
}

func command(v agent.CommandView) string {
	var b strings.Builder
	b.WriteString(fenced("console", "$ "+v.Command+"\n"+v.Output))
	if v.ExitCode != 0 {
		fmt.Fprintf(&b, "\n\nexit code %d", v.ExitCode)
	}
	if v.Note != "" {
		b.WriteString("\n\n" + v.Note)
	}
	return b.String()
}

func listing(v agent.ListingView) string {
	var b strings.Builder
	b.WriteString(v.Title + "\n\n" + fenced("", strings.Join(v.Items, "\n")))
	if more := v.Total - len(v.Items); more > 0 {
		fmt.Fprintf(&b, "\n\nand %d more", more)
	}
	return b.String()
}

// fenced is text in a Markdown code block, whose fence is longer than any in the text.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}
