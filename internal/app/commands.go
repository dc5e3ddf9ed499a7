package app

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"pawl/agent"
	"pawl/agent/commands"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/tools"
)

// allPrograms bounds the time of all programs that one typed command names.
const allPrograms = 30 * time.Second

// TypedCommands are the commands that a message may begin with, by their names: those of files, Pawl's
// own, the skills, and those of elsewhere, which may come and go. It waits for nothing.
func (h *Session) TypedCommands() []commands.Command {
	all := slices.Clone(h.Project.UsedCommands())
	for _, from := range h.elsewhere {
		for _, c := range from.List() {
			if !slices.ContainsFunc(all, func(other commands.Command) bool { return other.Name == c.Name }) {
				all = append(all, c)
			}
		}
	}
	return all
}

// IsCommand reports whether a message may begin with this name behind a slash.
func (h *Session) IsCommand(name string) bool {
	_, _, ok := h.typed(context.Background(), "/"+name)
	return ok
}

// typed is the command that a message begins with.
func (h *Session) typed(ctx context.Context, text string) (r commands.Request, expand func(commands.Request) (commands.Expanded, error), ok bool) {
	name, args, ok := commands.Parse(text)
	if !ok {
		return r, nil, false
	}
	r = commands.Request{Context: ctx, Args: args}
	if r.Command, ok = commands.Find(h.Project.UsedCommands(), name); ok {
		return r, func(r commands.Request) (commands.Expanded, error) { return commands.Expand(r), nil }, true
	}
	for _, from := range h.elsewhere {
		if r.Command, ok = commands.Find(from.List(), name); ok {
			return r, from.Expand, true
		}
	}
	return r, nil, false
}

// expand adds what the command stands for with which a message begins, and gives the text in which
// files may be named beside the message's own.
func (h *Session) expand(ctx context.Context, run lifecycle.Run, text string, to *lifecycle.Attached) (names string) {
	h.awaitPrompts(ctx, text)
	r, expand, ok := h.typed(ctx, text)
	if !ok {
		return ""
	}
	c := r.Command
	ctx, cancel := context.WithTimeout(ctx, allPrograms)
	defer cancel()
	left := 0
	r.Context, r.Program = ctx, h.program(ctx, run, &left)
	enclosure := lifecycle.Enclosure{Attachment: lifecycle.Attachment{Name: "/" + c.Name, Command: true}}
	expanded, err := expand(r)
	if err != nil {
		enclosure.Left, enclosure.Note = true, words.CutLine(err.Error(), 300)
		to.Enclosures = append(to.Enclosures, enclosure)
		return ""
	}
	body := agent.Attached{Text: introduced(c, expanded.Text), Images: expanded.Images}
	enclosure.Body = body.Encode()
	enclosure.Note = words.Join(", ", c.Source, expanded.Note, notRun(left), bind(c, run, to))
	to.Enclosures = append(to.Enclosures, enclosure)
	return expanded.Names
}

// introduced says what the text of a command is.
func introduced(c commands.Command, text string) string {
	from := c.Source
	if c.Folder != "" {
		from += ", whose files are in " + c.Folder
	}
	return fmt.Sprintf("<command name=%q>\nThe user typed /%s, which stands for this text (from %s):\n\n%s\n</command>", c.Name, c.Name, from, text)
}

func notRun(left int) string {
	if left == 0 {
		return ""
	}
	return words.CountOf(left, "program was not run: no rule allows it unasked", "programs were not run: no rule allows them unasked")
}

// bind binds the run that the message starts to what its command names, and says what that is. A
// run that has begun stays as it is, and a subagent keeps its model.
func bind(c commands.Command, run lifecycle.Run, to *lifecycle.Attached) string {
	var bound, not []string
	add := func(what string, applies bool) {
		if applies {
			bound = append(bound, what)
		} else {
			not = append(not, what)
		}
	}
	begins := run.ID == "" || run.State.Terminal()
	if c.Model != "" {
		if add("model "+c.Model, begins && !run.Subagent()); begins && !run.Subagent() {
			to.Model = c.Model
		}
	}
	if c.Effort != "" {
		if add("effort "+c.Effort, begins && !run.Subagent()); begins && !run.Subagent() {
			to.Effort = c.Effort
		}
	}
	if c.Allowed != nil {
		if add("its allowed-tools", begins); begins {
			to.Allowed = c.Allowed
		}
	}
	text := ""
	if len(bound) > 0 {
		text = "with " + words.List(bound)
	}
	if len(not) > 0 {
		text = strings.TrimPrefix(text+", "+words.List(not)+" not applied to a run that had begun", ", ")
	}
	return text
}

// program runs what a command's text names, where the rules allow that without a question, and counts
// what it does not run. Nil: the run cannot start, and says why itself.
func (h *Session) program(ctx context.Context, run lifecycle.Run, left *int) func(line string) string {
	run.Allowed = nil // of the run before
	r, err := h.rules(run)
	if err != nil {
		return nil
	}
	run.ID = lifecycle.NewRunID() // what it starts is nobody's yet
	launcher := r.commands(run)
	return func(line string) string {
		decision, why := r.unaskedProgram(ctx, run, line)
		switch {
		case ctx.Err() != nil:
			why = "the command's programs took too long together"
		case why == "":
			return tools.Inline(ctx, launcher, r.Folder, line, decision)
		}
		*left++
		return fmt.Sprintf("[This program was not run: %s. Its line is: %s. Run it with the tool shell, which can ask, if its output matters.]", why, words.CutLine(line, 500))
	}
}

// unaskedProgram says why a line cannot be run without a question; empty: it can, on the conditions of
// the decision.
func (r rules) unaskedProgram(ctx context.Context, run lifecycle.Run, line string) (decision agent.Decision, why string) {
	effect := agent.Effect{Kind: agent.EffectShell, Subject: line}
	decision = r.permit(effect)
	if !decision.Allow || decision.Closed && !r.reads(effect) { // what nobody spoke about runs closed, if a model asks for it: not here
		return decision, "it needs a person's yes" + inBrackets(decision)
	}
	ask := r.hooks(run)
	if ask == nil {
		return decision, ""
	}
	input, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		return decision, "its line cannot be read"
	}
	answer := ask(ctx, agent.HookInput{Event: agent.HookPreToolUse, Run: run, Call: agent.Call{ID: lifecycle.CallID("command"), Name: "shell", Input: input}})
	if answer.Decision == agent.HookDeny || answer.Decision == agent.HookAsk {
		return decision, "one of the user's hooks blocked it"
	}
	return decision, ""
}

// inBrackets is the reason of a decision, if there is one.
func inBrackets(d agent.Decision) string {
	for _, reason := range []string{d.Reason, d.AlwaysAsk} {
		if reason != "" {
			return " (" + reason + ")"
		}
	}
	return ""
}
