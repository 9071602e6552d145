//go:build unix

package iree

import (
	"os/exec"
	"syscall"
)

// ownGroup gives cmd a process group of its own and kills all of it on cancellation.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
