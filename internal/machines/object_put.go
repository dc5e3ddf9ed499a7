package machines

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// chunkSize is that of NATS's own tools, and chunksOnTheWay how many may not be acknowledged yet:
// the server keeps what it has not written in memory, and refuses more than it is allowed to keep.
const (
	chunkSize      = 128 << 10
	chunksOnTheWay = 64
)

// Put stores what from has under a name, in place of what was there. It is whole, or not there. It
// fails where the server goes away meanwhile: Link.Persist does it again with another reader.
func (o *Objects) Put(ctx context.Context, name string, from io.Reader) error {
	js, err := jetstream.New(o.link.nc, jetstream.WithPublishAsyncTimeout(o.link.o.Times.Lease))
	if err != nil {
		return o.failed("put", name, err)
	}
	defer js.CleanupPublisher()
	old, _ := o.info(ctx, name) // without an answer its chunks grow old by themselves
	u := upload{ctx: ctx, js: js, bucket: o.bucket, id: nuid.Next()}
	if err := u.send(name, from); err != nil {
		o.purge(ctx, js, u.id)
		return o.failed("put", name, err)
	}
	if old != nil {
		o.purge(ctx, js, old.NUID)
	}
	return nil
}

// purge removes the chunks of an object, once the server has stored or refused all that was sent: a
// chunk that it stored after the purge would stay. Those that stay are removed when they are old.
func (o *Objects) purge(ctx context.Context, js jetstream.JetStream, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.link.o.Times.Ask)
	defer cancel()
	select {
	case <-js.PublishAsyncComplete():
	case <-ctx.Done():
		return
	}
	if stream, err := o.link.js.Stream(ctx, "OBJ_"+o.bucket); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(chunksOf(o.bucket, id)))
	}
}

func chunksOf(bucket, id string) string { return fmt.Sprintf("$O.%s.C.%s", bucket, id) }

// upload is the sending of one object: its chunks, then what makes them an object.
type upload struct {
	ctx        context.Context
	js         jetstream.JetStream
	bucket, id string
	sent       []jetstream.PubAckFuture // not acknowledged yet, in order
}

func (u *upload) send(name string, from io.Reader) error {
	info := jetstream.ObjectInfo{
		ObjectMeta: jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}},
		Bucket:     u.bucket, NUID: u.id,
	}
	digest, chunk := sha256.New(), make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(from, chunk)
		if n > 0 {
			digest.Write(chunk[:n])
			info.Size, info.Chunks = info.Size+uint64(n), info.Chunks+1
			if err := u.publish(&nats.Msg{Subject: chunksOf(u.bucket, u.id), Data: chunk[:n]}); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			if err := u.acknowledged(0); err != nil {
				return err
			}
			info.Digest = jetstream.GetObjectDigestValue(digest)
			return u.name(info)
		case err != nil:
			return fmt.Errorf("read what is to be stored: %w", err)
		}
	}
}

// name makes the chunks an object, when all are stored.
func (u *upload) name(info jetstream.ObjectInfo) error {
	body, err := json.Marshal(info)
	if err != nil {
		return err
	}
	m := nats.NewMsg(fmt.Sprintf("$O.%s.M.%s", u.bucket, base64.URLEncoding.EncodeToString([]byte(info.Name))))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = body
	if err := u.publish(m); err != nil {
		return err
	}
	return u.acknowledged(0)
}

// publish sends a message in order: one that is not stored is not sent again, after its
// successors, but ends the upload.
func (u *upload) publish(m *nats.Msg) error {
	if err := u.acknowledged(chunksOnTheWay - 1); err != nil {
		return err
	}
	sent, err := u.js.PublishMsgAsync(m, jetstream.WithRetryAttempts(0))
	if err != nil {
		return err
	}
	u.sent = append(u.sent, sent)
	return nil
}

// acknowledged waits until at most so many messages are not.
func (u *upload) acknowledged(most int) error {
	for len(u.sent) > most {
		select {
		case <-u.sent[0].Ok():
		case err := <-u.sent[0].Err():
			return err
		case <-u.ctx.Done():
			return context.Cause(u.ctx)
		}
		u.sent = u.sent[1:]
	}
	return nil
}
