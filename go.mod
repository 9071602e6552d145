module github.com/mlxc/mlxc

go 1.26

require github.com/klauspost/compress v1.20.4

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/cobra v1.10.2 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
)
