package worker

import (
	"encoding/json"

	"pawl/internal/machines"
)

// handle answers what hosts tell this worker. Requests come one by one, and none of them waits here.
func (s *server) handle(r *machines.Request) {
	if r.Kind == machines.KindDown {
		s.frame(r)
		return
	}
	var order machines.Order
	if json.Unmarshal(r.Data, &order) != nil {
		return // no Pawl of this version sent it
	}
	if err := r.Checked(); err != nil {
		r.ReplySigned(machines.OrderReply{Error: err.Error()})
		return
	}
	one, claiming := s.find(order.Attempt)
	reply := machines.OrderReply{Known: one != nil, Later: claiming}
	switch {
	case one == nil:
	case r.Kind == machines.KindKill:
		one.kill(errKilled)
	case r.Kind == machines.KindEnd:
		one.over()
	case r.Kind == machines.KindResume:
		reply = one.resume(order)
	}
	r.ReplySigned(reply)
}

// frame hands a frame for a process's input to its run.
func (s *server) frame(r *machines.Request) {
	f, err := machines.ParseFrame(r.Data)
	if err != nil {
		return
	}
	one, claiming := s.find(f.Attempt)
	switch {
	case one != nil:
		one.down.Take(f, r)
	case claiming:
		r.Answer(machines.Later)
	default:
		r.Answer(machines.Over)
	}
}
