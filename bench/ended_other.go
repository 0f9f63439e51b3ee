//go:build !linux

package main

// ended would wait and tell how much was read, where the system tells.
func ended(int) (read int64) { return 0 }
