package hosted

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"pawl/agent/sanitize"
	"pawl/internal/fleet"
	"pawl/internal/system"
	"pawl/lifecycle"
	"pawl/ui/headless"
)

// Formats of what Prompt writes.
const (
	Text       = "text"
	JSON       = "json"
	StreamJSON = "stream-json"
)

// Prompt says how a session is waited for.
type Prompt struct {
	Text        string    // said first; empty: nothing
	Format      string    // of what is written to Out
	Partial     bool      // with StreamJSON: also text that is not recorded yet
	Input       io.Reader // with StreamJSON: lines of another program; nil: none
	Out, Errors io.Writer
	Signals     <-chan int // exit codes of signals that end the waiting; nil: none comes
}

// Run says a prompt to the session, waits until it is settled, writes what pawl -p does and returns
// the exit code that pawl -p has. A signal ends the waiting alone.
func (s *Session) Run(ctx context.Context, p Prompt) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := &exchange{Session: s, prompt: p, asked: map[lifecycle.QuestionID]bool{}}
	if err := e.begin(); err != nil {
		return system.ExitError, err
	}
	lines := e.receive(ctx)
	for {
		select {
		case got := <-lines:
			if got.err != nil {
				return e.lost(got.err)
			}
			code, over, err := e.take(got.line)
			if errors.Is(err, syscall.EPIPE) { // nobody reads it
				return headless.ExitSIGPIPE, nil
			}
			if over || err != nil {
				return code, err
			}
		case code := <-p.Signals:
			short := ShortID(s.Root)
			e.tell("the session goes on: pawl attach %s shows it, pawl wait %s waits for it, pawl stop %s stops it", short, short, short)
			return code, nil
		}
	}
}

// exchange is one run of a prompt. Only its goroutine uses it.
type exchange struct {
	*Session
	prompt   Prompt
	own      int  // so many of the first lines are ours, and not the other program's
	told     int  // so many of those have their replies
	happened bool // something is recorded
	said     *counted
	asked    map[lifecycle.QuestionID]bool // that people were told of
}

// begin says what is wanted and, without another program, that this is all.
func (e *exchange) begin() error {
	orders := []any{map[string]string{"type": "status"}, watchOrder{Type: "watch", Partial: e.prompt.Partial}}
	if e.prompt.Text != "" {
		orders = append(orders, Message{"message", e.prompt.Text, ""})
	}
	for _, order := range orders {
		if err := e.order(order); err != nil {
			return err
		}
	}
	e.own = len(orders)
	if e.prompt.Input == nil {
		_ = e.conn.CloseWrite() // a host that is gone is heard of
		return nil
	}
	e.said = &counted{r: e.prompt.Input, done: make(chan struct{})}
	go func() { // it ends with the program if nobody closes the input
		_, _ = io.Copy(e.conn, e.said)
		close(e.said.done)
		_ = e.conn.CloseWrite()
	}()
	return nil
}

// received is a line, or why none comes any more.
type received struct {
	line line
	err  error
}

func (e *exchange) receive(ctx context.Context) <-chan received {
	to := make(chan received)
	go func() {
		for lines := (reader{bufio.NewReader(e.conn)}); ; {
			l, err := lines.next()
			select {
			case to <- received{l, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return to
}

// take handles a line, and reports whether it was the last one.
func (e *exchange) take(l line) (code int, over bool, err error) {
	switch l.Type {
	case "reply":
		return e.replied(as[fleet.Reply](l))
	case "status":
		for _, q := range as[fleet.Status](l).Questions {
			e.ask(q.Question, q.Who, q.Tool, q.Subject)
		}
		return 0, false, nil
	case "result":
		return e.conclude(l)
	case "idle":
		if e.prompt.Input == nil || e.told < e.own { // it was idle before what is said here
			return 0, false, nil
		}
	}
	first := opening{}
	if l.Type == "opening" {
		first = as[opening](l)
	}
	e.happened = e.happened || l.Type == "record" || first.Opening.Seq > 1
	switch {
	case e.prompt.Format == StreamJSON:
		return system.ExitError, false, e.write(l.text)
	case first.Demo && e.prompt.Format == Text:
		headless.TellDemo(e.prompt.Errors)
	case l.Event == "permission_asked":
		q := as[asking](l).Data
		e.ask(q.ID, q.Who, q.Tool, q.Subject)
	}
	return 0, false, nil
}

// What is read of a line of each type.
type (
	opening struct {
		Demo    bool `json:"demo"`
		Opening struct {
			Seq lifecycle.Seq `json:"seq"`
		} `json:"opening"`
	}
	asking struct {
		Data struct {
			ID      lifecycle.QuestionID `json:"question"`
			Who     string               `json:"who"`
			Tool    string               `json:"tool"`
			Subject string               `json:"subject"`
		} `json:"data"`
	}
)

// replied handles a reply: to what is asked here, or to a line of the other program.
func (e *exchange) replied(reply fleet.Reply) (code int, over bool, err error) {
	switch own := reply.Line <= e.own; {
	case own && !reply.OK:
		return system.ExitError, true, errors.New(reply.Error)
	case own:
		e.told++
		return 0, false, nil
	case e.prompt.Format != StreamJSON:
		return 0, false, nil
	}
	text, err := renumbered(reply, e.own)
	if err != nil {
		return system.ExitError, true, err
	}
	return system.ExitError, false, e.write(text)
}

// write writes a line to who waits.
func (e *exchange) write(text []byte) error {
	_, err := e.prompt.Out.Write(text)
	return written(err)
}

// ask tells people of a question that keeps the session waiting, once. Another program sees its record.
func (e *exchange) ask(id lifecycle.QuestionID, who, tool, subject string) {
	if e.asked[id] || e.prompt.Format == StreamJSON {
		return
	}
	e.asked[id] = true
	if who != "" {
		who += ": "
	}
	short := ShortID(e.Root)
	e.tell("it waits for your answer: %s%s %s: pawl answer %s shows all of it, pawl answer %s yes allows it", who, tool, subject, short, short)
}

func (e *exchange) conclude(l line) (code int, over bool, err error) {
	result, err := headless.ReadResult(l.text)
	if err != nil {
		return system.ExitError, true, err
	}
	if e.nothingSaid() {
		return system.ExitUsage, true, system.Usage(headless.ErrNothingSaid.Error())
	}
	return result.Code(), true, Write(result, e.prompt)
}

// Write writes a result in the format of a prompt.
func Write(result headless.Result, p Prompt) error {
	switch p.Format {
	case StreamJSON:
		return written(result.WriteLine(p.Out))
	case JSON:
		return written(result.WriteJSON(p.Out))
	}
	return written(result.WriteText(p.Out, p.Errors))
}

// nothingSaid reports that another program was to say something, and has ended without a line.
func (e *exchange) nothingSaid() bool {
	if e.said == nil || e.prompt.Text != "" {
		return false
	}
	select {
	case <-e.said.done:
		return e.said.n == 0
	default:
		return false
	}
}

// lost is the outcome without a result.
func (e *exchange) lost(err error) (int, error) {
	switch {
	case e.nothingSaid():
		return system.ExitUsage, system.Usage(headless.ErrNothingSaid.Error())
	case !errors.Is(err, io.EOF):
		return system.ExitError, err
	}
	if e.told == e.own && !e.happened {
		return system.ExitError, fmt.Errorf("nothing was asked in session %s yet", e.Root)
	}
	return system.ExitError, fmt.Errorf("%w: pawl attach %s opens it", ErrGone, ShortID(e.Root))
}

func (e *exchange) tell(format string, values ...any) {
	fmt.Fprintln(e.prompt.Errors, "pawl: "+string(sanitize.Line(sanitize.Ends(fmt.Sprintf(format, values...)))))
}

func written(err error) error {
	if err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}

// counted counts what was read. Read n after done is closed.
type counted struct {
	r    io.Reader
	n    int64
	done chan struct{}
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
