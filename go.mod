module github.com/mlxc/mlxc

go 1.26
