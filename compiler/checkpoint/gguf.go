package checkpoint

import "github.com/mlxc/mlxc/archs"

func openGGUF(path, dir string) (Checkpoint, error) {
	return nil, archs.Errorf(archs.BadGGUF, "%s: not yet", path)
}
