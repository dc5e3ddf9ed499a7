package machines

import (
	"encoding/json"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"pawl/internal/natstest"
	"pawl/lifecycle"
)

func someJob(labels ...string) Job {
	return Job{Attempt: Attempt{lifecycle.NewRunID(), 1}, Root: lifecycle.NewSessionID(), Protocol: 5, Labels: labels}
}

// put puts a message into a queue as anybody can who may write to the stream.
func put(t *testing.T, l *Link, subject string, header nats.Header, body []byte) {
	t.Helper()
	_, err := l.jobs(t.Context())
	require.NoError(t, err)
	_, err = l.js.PublishMsg(t.Context(), &nats.Msg{Subject: subject, Header: header, Data: body})
	require.NoError(t, err)
}

func TestAWorkerPullsFromAQueueForEachChoiceOfItsLabels(t *testing.T) {
	l := dial(t, Options{URL: natstest.Start(t).URL()})
	var names []string
	for _, q := range l.Queues(5, []string{"linux", "gpu"}) {
		names = append(names, q.Name())
	}
	require.Equal(t, []string{"5-gpu+linux", "5-gpu", "5-linux", "5-any"}, names)
	require.Len(t, l.Queues(5, []string{"a", "b", "c", "d", "e"}), 32)
}

func TestAJobIsInItsQueueOnceAndCanBeWithdrawn(t *testing.T) {
	l := dial(t, Options{URL: natstest.Start(t).URL(), Times: patient})
	job := someJob("gpu")
	for i := range 3 {
		already, err := l.Enqueue(t.Context(), job)
		require.NoError(t, err)
		require.Equal(t, i > 0, already)
	}
	stream, err := l.jobs(t.Context())
	require.NoError(t, err)
	count := func() uint64 {
		info, err := stream.Info(t.Context())
		require.NoError(t, err)
		return info.State.Msgs
	}
	require.EqualValues(t, 1, count())
	d, err := l.Queues(5, []string{"gpu"})[0].Next(t.Context())
	require.NoError(t, err)
	got, err := d.Job()
	require.NoError(t, err)
	require.Equal(t, job, got)
	require.NoError(t, d.Confirm(t.Context()))
	require.NoError(t, l.Withdraw(t.Context(), job))
	require.Zero(t, count())
	require.NoError(t, d.Confirm(t.Context()), "a job that is gone can be kept and acknowledged")
	d.Ack()
}

func TestAJobThatIsGivenBackGoesToAnother(t *testing.T) {
	s := natstest.Start(t)
	one, two := dial(t, Options{URL: s.URL(), Times: patient}), dial(t, Options{URL: s.URL(), Times: patient})
	_, err := one.Enqueue(t.Context(), someJob())
	require.NoError(t, err)
	d, err := one.Queues(5, nil)[0].Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, d.Times())
	d.Return(0)
	d, err = two.Queues(5, nil)[0].Next(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, d.Times())
}

func TestAStreamThatIsThereIsUsedAsItIs(t *testing.T) {
	s := natstest.Start(t)
	l := dial(t, Options{URL: s.URL(), Times: patient})
	_, err := l.js.CreateStream(t.Context(), streamOfAnAdministrator())
	require.NoError(t, err)
	_, err = l.Enqueue(t.Context(), someJob())
	require.NoError(t, err)
	_, err = l.Queues(5, nil)[0].Next(t.Context())
	require.NoError(t, err)
}

func TestAJobThatWasMovedOrChangedIsRefusedInOneLine(t *testing.T) {
	s := natstest.Start(t, natstest.WithUsers(1))
	l := dial(t, Options{URL: s.URL(), Creds: s.Creds(0).File, Times: patient})
	job := someJob()
	body, err := json.Marshal(job)
	require.NoError(t, err)
	header := l.sign(signed(job.Subject(), body))

	moved := job
	moved.Labels = []string{"gpu"}
	other, err := json.Marshal(moved)
	require.NoError(t, err)
	changed := job
	changed.Idempotent = true
	rewritten, err := json.Marshal(changed)
	require.NoError(t, err)
	for _, c := range []struct {
		subject string
		header  nats.Header
		body    []byte
		why     string
	}{
		{moved.Subject(), header, body, "it is of another queue than the one that it was put into"},
		{moved.Subject(), header, other, "its signature does not fit: it was changed, or put into another queue"},
		{job.Subject(), header, rewritten, "its signature does not fit"},
		{job.Subject(), nil, body, "the job is not signed, and this worker accepts only signed jobs"},
		{job.Subject(), header, []byte("{"), "it cannot be read"},
		{job.Subject(), nats.Header{keyHeader: header[keyHeader], signatureHeader: {"%"}}, body, "its signature does not fit"},
	} {
		put(t, l, c.subject, c.header, c.body)
		labels := []string(nil)
		if c.subject != job.Subject() {
			labels = moved.Labels
		}
		d, err := l.Queues(5, labels)[0].Next(t.Context())
		require.NoError(t, err)
		named, err := d.Job()
		require.ErrorContains(t, err, c.why)
		require.NotContains(t, err.Error(), "\n")
		require.Equal(t, job.Root, named.Root, "its host can be told")
		require.Equal(t, job.Attempt, named.Attempt)
		require.NoError(t, d.m.DoubleAck(t.Context()))
	}
}

func TestAnOpenWorkerStillRefusesAMovedJob(t *testing.T) {
	l := dial(t, Options{URL: natstest.Start(t).URL()})
	require.True(t, l.TakesUnsigned())
	body, err := json.Marshal(someJob())
	require.NoError(t, err)
	put(t, l, someJob().Subject(), nil, body)
	d, err := l.Queues(5, nil)[0].Next(t.Context())
	require.NoError(t, err)
	_, err = d.Job()
	require.ErrorContains(t, err, "another queue")
}

func streamOfAnAdministrator() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name: JobStream, Subjects: []string{"pawl.job.>"}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, MaxBytes: 1 << 20,
	}
}
