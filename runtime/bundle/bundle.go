package bundle

// Bundle is an opened, mapped bundle.
type Bundle struct {
	Manifest Manifest
	Path     string
}
