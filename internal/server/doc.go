// Pawl-server is a NATS server with JetStream for those who have none yet: a team begins with it
// where pawl worker --serve starts it. It is a program of its own, as it would add a third to the
// size of Pawl's. Its folder holds all it knows:
//
//	user.seed     the NKey of its one user, made at the first start
//	server.pem    its certificate and the key to that, made at the first start
//	remote.creds  what another machine needs: the seed, and the certificate by which it knows the server
//	jetstream/    what its streams and stores hold
//
//	options ─► identity (made, or read) ─► server ─► a screen that says what to do elsewhere
package main
