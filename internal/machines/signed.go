package machines

import (
	"context"
	"encoding/json"

	"github.com/nats-io/nats.go"
)

// Signed is a request, or the reply to one, that is signed with the key of this end's credentials:
// once, however often it is sent. Without credentials it is not.
type Signed struct {
	link *Link
	m    *nats.Msg
}

// Sign makes a request.
func (l *Link) Sign(subject string, request any) (Signed, error) {
	body, err := json.Marshal(request)
	return Signed{l, &nats.Msg{Subject: subject, Data: body, Header: l.sign(signed(subject, body))}}, err
}

// Ask is Link.AskJSON. A reply that is not signed as Checked wants it, to this very request, is a
// *TrustError.
func (s Signed) Ask(ctx context.Context, reply any) error {
	answer, err := s.link.ask(ctx, s.m)
	if err != nil {
		return err
	}
	if err := s.link.trusted().check(answer.Header, replied(s.m.Subject, s.m.Data, answer.Data)); err != nil {
		return err
	}
	return read(s.m.Subject, answer.Data, reply)
}

// Checked says why the request must not be obeyed, if it must not: a *TrustError.
func (r *Request) Checked() error {
	return r.link.trusted().check(r.m.Header, signed(r.m.Subject, r.Data))
}

// Sign makes the reply to this request, and to the same one that is sent again.
func (r *Request) Sign(answer any) Signed {
	body, err := json.Marshal(answer)
	if err != nil { // then it cannot be read, and is asked for again
		body = nil
	}
	return Signed{r.link, &nats.Msg{Data: body, Header: r.link.sign(replied(r.m.Subject, r.Data, body))}}
}

// Send answers with a signed reply, as Reply does.
func (r *Request) Send(reply Signed) {
	_ = r.m.RespondMsg(&nats.Msg{Data: reply.m.Data, Header: reply.m.Header})
}

// ReplySigned is ReplyJSON with a signed reply.
func (r *Request) ReplySigned(answer any) { r.Send(r.Sign(answer)) }
