package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pawl/agent/sanitize"
	"pawl/internal/base"
	"pawl/internal/cli/command"
	"pawl/internal/fleet"
	"pawl/internal/hosted"
	"pawl/internal/system"
	"pawl/internal/words"
	"pawl/lifecycle"
)

// answers are the words that answer a question, and what they mean to a host.
var answers = map[string]string{
	"once": "once", "run": "run", "session": "session", "always": "always", "no": "no", "y": "once", "yes": "once", "n": "no",
}

// answerWords are those to be offered.
var answerWords = []string{"once", "run", "session", "always", "no"}

// answerOptions say which question is answered, and why.
type answerOptions struct {
	question, reason string
	asJSON           bool
}

func newAnswerCommand(w *base.World) *cobra.Command {
	var o answerOptions
	cmd := &cobra.Command{
		Use:     "answer [ID] [once|run|session|always|no]",
		Short:   "Answer the question of an open session, or print it.",
		GroupID: command.GroupSessions,
		Long: `Answer the question that an open session waits with. Without an answer, print all that
it asks. once (or yes, y) allows this call, run and session this tool for as long, always
keeps the rules that the question proposes; no (or n) denies it.

` + idMeans,
		Example: `  pawl answer 4f2a               # what it asks
  pawl answer 4f2a yes
  pawl answer 4f2a no --reason later`,
		Args:              command.Takes("[ID]", "[once|run|session|always|no]"),
		ValidArgsFunction: completeAnswer(w),
		RunE:              func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), w, args) },
	}
	cmd.Flags().StringVar(&o.question, "question", "", "The question with this `ID`, where several are open.")
	cmd.Flags().StringVar(&o.reason, "reason", "", "With no: why, as `TEXT`; the model reads it.")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "For programs: one JSON object, the questions or the\nhost's reply.")
	return cmd
}

func completeAnswer(w *base.World) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch len(args) {
		case 0:
			return completeSessions(w)(cmd, args, typed)
		case 1:
			return answerWords, command.AsListed
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
}

func (o *answerOptions) run(ctx context.Context, w *base.World, args []string) error {
	name, answer := first(args), ""
	if means, is := answers[name]; is {
		if len(args) > 1 {
			return system.Usage(fmt.Sprintf("unexpected argument %q", args[1]))
		}
		name, answer = "", means
	}
	if len(args) > 1 {
		if answer = answers[args[1]]; answer == "" {
			return system.Usage(fmt.Sprintf("the answer must be one of %s, not %q", strings.Join(answerWords, ", "), args[1]))
		}
	}
	if o.reason != "" && answer != "no" {
		return system.Usage("--reason goes with the answer no")
	}
	return withSession(ctx, w, name, "it has no open question; pawl attach %s opens it", func(s *hosted.Session) error {
		status, err := s.Status(ctx)
		if err != nil {
			return err
		}
		if answer == "" {
			return o.print(w, status.Questions)
		}
		question, err := o.choose(status)
		if err != nil {
			return err
		}
		reply, err := s.Answer(ctx, question, answer, o.reason)
		return tellReply(w, o.asJSON, reply, err)
	})
}

// choose is the question that is meant, if all of it could be read.
func (o *answerOptions) choose(s fleet.Status) (lifecycle.QuestionID, error) {
	open := s.Questions
	if o.question != "" {
		part := words.WithoutEllipsis(strings.ToLower(strings.TrimSpace(o.question)))
		open = slices.DeleteFunc(slices.Clone(open), func(q fleet.Question) bool {
			return !strings.HasPrefix(string(q.Question), part) && !strings.HasSuffix(string(q.Question), part)
		})
	}
	short := hosted.ShortID(s.Session)
	switch {
	case len(open) == 0 && o.question != "":
		return "", fmt.Errorf("question %s is not open: pawl answer %s prints those that are", o.question, short)
	case len(open) == 0:
		return "", fmt.Errorf("session %s has no open question", short)
	case len(open) > 1:
		return "", system.Usage(fmt.Sprintf("%d questions are open: pawl answer %s prints them, --question ID names one", len(open), short))
	case open[0].Cut:
		return "", fmt.Errorf("the question is too long to be shown here, and what is not read is not answered: pawl attach %s", short)
	}
	return open[0].Question, nil
}

func (o *answerOptions) print(w *base.World, open []fleet.Question) error {
	if o.asJSON {
		return base.PrintJSON(*w, struct {
			Questions []fleet.Question `json:"questions"`
		}{append([]fleet.Question{}, open...)})
	}
	if len(open) == 0 {
		_, err := fmt.Fprintln(w.Out, "No question is waiting.")
		return err
	}
	for i, q := range open {
		if i > 0 {
			fmt.Fprintln(w.Out)
		}
		if err := printQuestion(w.Out, q); err != nil {
			return err
		}
	}
	return nil
}

// printQuestion prints all that a question asks.
func printQuestion(out io.Writer, q fleet.Question) error {
	head := q.Tool
	if q.Who != "" {
		head = q.Who + ": " + head
	}
	end := ""
	if q.Cut {
		end = "… (cut: pawl attach shows the rest)\n"
	}
	text := strings.ReplaceAll(string(sanitize.Clean(strings.TrimRight(q.Text, "\n"))), "\n", "\n  ")
	_, err := fmt.Fprintf(out, "%s  %s\n  %s\n%s", sanitize.Line(string(q.Question)), sanitize.Line(sanitize.Ends(head)), text, end)
	return err
}
