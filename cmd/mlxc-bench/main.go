// Command mlxc-bench measures tokens per second of bundles.
package main

import (
	"os"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

func main() {
	s := cli.System()
	os.Exit(cli.Main(NewCmdBench(s, nil), s))
}
