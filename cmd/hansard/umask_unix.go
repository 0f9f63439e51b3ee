//go:build unix

package main

import "syscall"

// private makes every file that is created from now on readable by its owner only.
func private() { syscall.Umask(0o077) }
