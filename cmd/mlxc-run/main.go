// Command mlxc-run executes bundles.
package main

import (
	"os"

	"github.com/mlxc/mlxc/cmd/internal/cli"
)

func main() {
	s := cli.System()
	os.Exit(cli.Main(NewCmdRun(s, nil), s))
}
