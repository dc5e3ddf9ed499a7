package machines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// JobStream is the stream in which jobs wait.
const JobStream = "PAWL_JOBS"

// jobAge is how long a job may wait in the stream. Its host looks whether it is still there, so
// only those of hosts that never come back grow so old.
const jobAge = 7 * 24 * time.Hour

// jobs returns the stream of jobs, and makes it if there is none.
func (l *Link) jobs(ctx context.Context) (jetstream.Stream, error) {
	l.mu.Lock()
	stream := l.stream
	l.mu.Unlock()
	if stream != nil {
		return stream, nil
	}
	stream, err := l.js.Stream(ctx, JobStream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = l.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: JobStream, Description: "Runs of Pawl that wait for a worker", Subjects: []string{"pawl.job.>"},
			Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, MaxAge: jobAge,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
		})
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // somebody else has made it in the meantime
			stream, err = l.js.Stream(ctx, JobStream)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("open the stream %s of the NATS server: %w", JobStream, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stream = stream
	return stream, nil
}

// Enqueue puts a job into its queue. One that is there already is not put there twice, which
// already says. A nil error means that the server has stored it; Passing tells whether another is
// worth another try.
func (l *Link) Enqueue(ctx context.Context, job Job) (already bool, err error) {
	body, err := json.Marshal(job)
	if err != nil {
		return false, err
	}
	subject := job.Subject()
	m := &nats.Msg{Subject: subject, Data: body, Header: l.sign(signed(subject, body))}
	ctx, cancel := context.WithTimeout(ctx, l.o.Times.Ask)
	defer cancel()
	_, err = l.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0))
	if errors.Is(err, jetstream.ErrNoStreamResponse) { // there is no stream, or no leader of it
		l.forgetJobs()
		if _, err = l.jobs(ctx); err == nil {
			_, err = l.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0))
		}
	}
	switch {
	case err == nil || alreadyQueued(err):
		return err != nil, nil
	case full(err):
		return false, fmt.Errorf("the stream %s of the NATS server at %s takes no more jobs (%s): raise its limits", JobStream, l.Address(), short(err))
	}
	return false, fmt.Errorf("put the run into the queue of the NATS server at %s: %w", l.Address(), err)
}

// Passing reports whether an error of this package may be gone at the next try.
func Passing(err error) bool { return passing(err) }

// Withdraw deletes a job, if it is still there.
func (l *Link) Withdraw(ctx context.Context, job Job) error {
	ctx, cancel := context.WithTimeout(ctx, l.o.Times.Ask)
	defer cancel()
	stream, err := l.jobs(ctx)
	if err != nil {
		return err
	}
	return stream.Purge(ctx, jetstream.WithPurgeSubject(job.Subject()))
}

func (l *Link) forgetJobs() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stream = nil
}

// Queue is one from which a worker takes jobs. It is used by one goroutine.
type Queue struct {
	link     *Link
	protocol int
	labels   []string
	consumer jetstream.Consumer
}

// Queues returns those that a worker with these labels can take jobs from: one for each choice of
// its labels, those for the most labels first.
func (l *Link) Queues(protocol int, labels []string) []*Queue {
	var all []*Queue
	for _, some := range choices(labels) {
		all = append(all, &Queue{link: l, protocol: protocol, labels: some})
	}
	return all
}

// Name is that of its consumer, such as 5-gpu+linux.
func (q *Queue) Name() string { return fmt.Sprintf("%d-%s", q.protocol, queueOf(q.labels)) }

// pullWait is how long the server keeps one request for a job.
const pullWait = 30 * time.Second

// Next waits for the next job, over all losses of the connection. An error is one that another try
// does not help with, or ctx's cause.
func (q *Queue) Next(ctx context.Context) (*Delivery, error) {
	var pause Pause
	for {
		d, err := q.pull(ctx)
		switch {
		case ctx.Err() != nil:
			if d != nil {
				d.Return(0)
			}
			return nil, context.Cause(ctx)
		case d != nil:
			return d, nil
		case err == nil: // the time is over
			pause.Reset()
			continue
		case !passing(err) && !q.vanished(err):
			return nil, fmt.Errorf("take jobs from the NATS server at %s: %s", q.link.Address(), short(err))
		}
		if err := pause.Wait(ctx, q.link, errRetry, nil); err != nil {
			return nil, err
		}
	}
}

// errRetry makes a Pause wait even after the end of a time.
var errRetry = errors.New("again")

// vanished reports whether the consumer must be looked up again.
func (q *Queue) vanished(err error) bool {
	for _, one := range []error{
		jetstream.ErrNoHeartbeat, jetstream.ErrConsumerDeleted, jetstream.ErrConsumerNotFound, jetstream.ErrConsumerDoesNotExist,
		jetstream.ErrStreamNotFound, jetstream.ErrServerShutdown, jetstream.ErrConsumerLeadershipChanged, context.Canceled,
	} {
		if errors.Is(err, one) {
			q.consumer = nil
			q.link.forgetJobs()
			return true
		}
	}
	return false
}

// pull asks for one job. The request dies with the connection, so it is given up with it.
func (q *Queue) pull(ctx context.Context) (*Delivery, error) {
	changed := q.link.Changed()
	if err := q.link.WaitConnected(ctx); err != nil {
		return nil, err
	}
	if err := q.open(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, pullWait)
	defer cancel()
	go func() {
		select {
		case <-changed:
			cancel()
		case <-ctx.Done():
		}
	}()
	batch, err := q.consumer.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		return &Delivery{link: q.link, m: m, Queue: q.Name()}, nil
	}
	if err := batch.Error(); !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	return nil, nil
}

// open finds the queue's consumer, and makes it if there is none.
func (q *Queue) open(ctx context.Context) error {
	if q.consumer != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, q.link.o.Times.Ask)
	defer cancel()
	stream, err := q.link.jobs(ctx)
	if err != nil {
		return err
	}
	consumer, err := stream.Consumer(ctx, q.Name())
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		consumer, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: q.Name(), FilterSubject: fmt.Sprintf("pawl.job.%d.%s.>", q.protocol, queueOf(q.labels)),
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.link.o.Times.Lease, MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 16384,
			InactiveThreshold: jobAge,
		})
		if errors.Is(err, jetstream.ErrConsumerExists) {
			consumer, err = stream.Consumer(ctx, q.Name())
		}
	}
	if err == nil {
		q.consumer = consumer
	}
	return err
}

// Delivery is a job that this worker was given and has to acknowledge: nobody else gets it as long
// as it is kept.
type Delivery struct {
	Queue string
	link  *Link
	m     jetstream.Msg
}

// Job reads the job, and says in one line why it must be refused. Root, run and attempt are those
// of its subject even then.
func (d *Delivery) Job() (Job, error) {
	job, err := parseJob(d.m.Subject(), d.m.Data())
	if err != nil {
		return job, err
	}
	return job, d.link.trusted().check(d.m.Headers(), signed(d.m.Subject(), d.m.Data()))
}

// Times is how often the job has been delivered.
func (d *Delivery) Times() int {
	about, err := d.m.Metadata()
	if err != nil {
		return 1
	}
	return int(about.NumDelivered) //nolint:gosec // a count
}

// Keep tells the server that the job is being worked at, and does not wait.
func (d *Delivery) Keep() { _ = d.m.InProgress() } // without a connection the next one counts

// Confirm is Keep, and returns nil when the server has answered: then it has got all that was sent
// before.
func (d *Delivery) Confirm(ctx context.Context) error {
	_, err := d.link.Ask(ctx, d.m.Reply(), []byte("+WPI"))
	return err
}

// Ack deletes the job. One that is not deleted is delivered again, and then found to be over.
func (d *Delivery) Ack() { _ = d.m.Ack() }

// Return gives the job back, for another worker, after a time.
func (d *Delivery) Return(after time.Duration) { _ = d.m.NakWithDelay(after) }
