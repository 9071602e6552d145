// Command mlxc-emit makes bundles out of checkpoints.
package main

import (
	"os"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

func main() {
	s := cli.System()
	os.Exit(cli.Main(NewCmdEmit(s, nil), s))
}
