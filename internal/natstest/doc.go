// Package natstest is a NATS server for the tests of all rooms, which can be stopped and started
// again, and a way to it that can be cut and healed.
package natstest
