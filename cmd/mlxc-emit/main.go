// Command mlxc-emit makes bundles out of checkpoints.
package main

import (
	"os"
	"runtime/debug"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

// garbagePercent is how much garbage may lie beside what is in use. A matrix on its
// way is hundreds of megabytes, without a pointer in it: collecting it costs little,
// keeping it until the heap has doubled is what a machine may not have.
const garbagePercent = 25

func main() {
	debug.SetGCPercent(garbagePercent)
	s := cli.System()
	os.Exit(cli.Main(NewCmdEmit(s, nil), s))
}
