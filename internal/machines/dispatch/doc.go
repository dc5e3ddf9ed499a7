// Package dispatch is the host's side of runs on other machines: it queues them, decides which
// worker has one, and is the other end of the pipe of its process.
//
//	Place ─► job into its queue ─► a worker's claim ─► Order.Grant ─► Placement
//	Pipe ◄─► frames, until the process is gone, or the worker is lost
//	Result ◄─ what the run left, sent by the worker after its process is gone
//	End ─► whatever is left of it is killed, the job deleted
//
// An attempt is granted to one worker, ever: one whose user this session accepts. A worker that is not heard of for a lease, while the
// connection was whole, has lost it: the same subscription delivers a probe that this process
// sends itself, so that no beat can be on its way any more.
package dispatch
