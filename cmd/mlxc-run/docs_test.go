package main

import (
	"flag"
	"testing"

	"github.com/mlxc/mlxc/cmd/internal/cli"
	"github.com/mlxc/mlxc/cmd/internal/docs"
)

var updateDocs = flag.Bool("update-docs", false, "write the pages of docs/cli and docs/man")

func TestDocs(t *testing.T) {
	docs.Check(t, NewCmdRun(cli.IO{}, nil), "../../docs", *updateDocs)
}
