// Package machinelab makes machines for tests on one Linux: each has a network, processes, a name
// and, if it is told to, an uptime of its own.
//
//	                 the middle: two bridges
//	       ┌───────────────┴───────────────┐
//	 front network 10.77.1.0/24     back network 10.77.2.0/24
//	       │ cut and healed                │ never cut: how a test watches who is cut off
//	       └──── eth0 ── a machine ── eth1 ┘
//
//	New ─► Lab.Machine ─► Machine.Start: a program there ─► Cut, Heal, Off, On
//	                  └─► Machine.Listen: a listener of the test's own process in its network
//
// A machine is a process that waits for the end of its standard input, first in namespaces of its
// own. Nothing has a name in the kernel: when the test ends, however it does, the input ends, with
// it the first process, with that all others of its namespace, and then the networks. So nothing
// is ever left to be swept. It takes root, and ip, unshare and nsenter; without them New skips the
// test. It imports nothing of the product.
package machinelab
