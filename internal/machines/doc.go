// Package machines is the one way to a NATS server, by which runs are worked at on other
// machines. It knows subjects, jobs and who signed them, requests and their replies, the frames
// that carry the bytes of a pipe, the store of objects, and which workers are there. What a host
// does with it is in dispatch, what a worker's machine does in worker.
//
//	host                                 server                          a worker's machine
//	dispatch.Place ── Job, signed ─────► PAWL_JOBS ────────────────────► Queue.Next
//	Claim ◄───────── pawl.host.ROOT.claim ────────────────────────────── may I work at it? my half, signed
//	               ─ grant, number and half of the connection, signed ─►
//	pipe ◄────────── pawl.host.ROOT.up: frames, each acknowledged ────── the process's output
//	pipe ─────────── pawl.worker.ID.down: frames ──────────────────────► its input
//	Beat ◄────────── pawl.host.ROOT.beat, every 2 s ──────────────────── these runs are here
//	               ─ which of them are over ───────────────────────────► those are killed
//	exit, result ◄── pawl.host.ROOT.gone, .result ────────────────────── kept until acknowledged
//
// The server is not trusted with what a run says. Each connection between a host's process and a
// worker's has keys of two halves (Half), one of each end, made for it alone and kept in memory alone:
// a claim and its grant name them, or the order to resume and its answer, all signed by a user whom the
// other end accepts (Signed). With these keys frames, exit and result are sealed (Conn), each
// kind by itself, numbered, and bound to the attempt and the connection: what somebody else sends,
// changes or sends once more is not taken. Without credentials nothing is signed, and whoever is
// between the ends may take the place of one. Beats, and replies that say that something has come, are
// anybody's: they hold an attempt up, or have it end as lost.
//
// A request is sent again until it is answered, and what carries it out knows it again by its
// number or its attempt: a lost reply does nothing twice. No wall clock is compared with another
// machine's: all times are spans on one.
package machines
