package corpus

import "testing"

func TestMatchProject(t *testing.T) {
	tests := []struct {
		value, pattern string
		want           bool
	}{
		{"/home/u/api", "api", true},
		{"/home/u/api", "API", true},
		{"/home/u/API", "api", true},
		{"/home/u/api", "u/api", true},
		{"/home/u/api", "api/", true},
		{"/home/u/api/", "api", true},
		{"/home/u/api", "./api", true},
		{"/home/u/api", "/home/u/api", true},
		{"/home/u/api", "/home/u/api/", true},
		{"/home/u/api", "/u/api", false},
		{"/home/u/api", "/api", false},
		{"/home/u/api", "pi", false},
		{"/home/u/api", "ap", false},
		{"/home/u/api", "home", false},
		{"/home/u/api", "/home/u", false},
		{"/home/u/api-v2", "api", false},
		{"/home/u/api-v2", "api*", true},
		{"/home/u/api", "*/api", true},
		{"/home/u/api", "*u*i", false},
		{"/home/u/api", "x/home/u/api", false},
		{"home/u/api", "/home/u/api", false},
		{"/home/u/api", "", true},
		{"", "", true},
		{"", "api", false},
		{"/", "/", true},
		{"/a", "/", false},
		{`C:\Users\me\Api`, "api", true},
		{`C:\Users\me\Api`, "me/api", true},
		{`C:\Users\me\Api`, `me\api`, true},
		{`C:\Users\me\Api`, `c:\users\me\api`, true},
		{`C:\Users\me\Api`, `C:/Users/me/Api`, true},
		{`C:\Users\me\Api`, `C:\Users`, false},
		{`D:\Users\me\Api`, `C:\Users\me\Api`, false},
		{`\\host\share\api`, `\\host\share\api`, true},
		{"/home/ü/Äpi", "äpi", true},
	}
	for _, tt := range tests {
		if got := MatchProject(tt.value, tt.pattern); got != tt.want {
			t.Errorf("MatchProject(%q, %q) = %v", tt.value, tt.pattern, got)
		}
		if got := MatchPath(tt.value, tt.pattern); got != tt.want {
			t.Errorf("MatchPath(%q, %q) = %v", tt.value, tt.pattern, got)
		}
	}
}

func TestUnderDir(t *testing.T) {
	tests := []struct {
		value, dir string
		want       bool
	}{
		{"/home/u/api", "/home/u/api", true},
		{"/home/u/api/deploy", "/home/u/api", true},
		{"/home/u/api/deploy", "/home/u/api/", true},
		{"/home/u/api-v2", "/home/u/api", false},
		{"/home/u", "/home/u/api", false},
		{"/home/u/api", "/", true},
		{"/home/u/api", "", true},
		{"/home/u/api", "home/u", false},
		{"home/u", "/home", false},
		{"src/app", "src", true},
		{"/Home/U/api", "/home/u", true},
		{`C:\Users\me\api`, `c:/users`, true},
		{`C:\Users\me\api`, `C:\Users\m`, false},
		{`C:\Users`, `C:\`, true},
		{`C:\Users`, `D:\`, false},
	}
	for _, tt := range tests {
		if got := UnderDir(tt.value, tt.dir); got != tt.want {
			t.Errorf("UnderDir(%q, %q) = %v", tt.value, tt.dir, got)
		}
	}
}

func TestMatchGlob(t *testing.T) {
	tests := []struct {
		value, pattern string
		want           bool
	}{
		{"Bash", "bash", true},
		{"bash", "BASH", true},
		{"bash", "bas", false},
		{"bash", "ash", false},
		{"bash", "b*h", true},
		{"bash", "*", true},
		{"", "*", true},
		{"", "a", false},
		{"bash", "", true},
		{"feature/login-form", "feature/*", true},
		{"feature/login-form", "*login*", true},
		{"feature/login-form", "*logout*", false},
		{"aab", "*ab", true},
		{"abab", "a*b*b", true},
		{"abab", "a*b*bb", false},
		{"claude-opus-4", "claude-*-4", true},
		{"claude-opus-4-1", "claude-*-4", false},
		{"mcp__docs__search", "mcp__**search", true},
		{"ÄB", "äb", true},
	}
	for _, tt := range tests {
		if got := MatchGlob(tt.value, tt.pattern); got != tt.want {
			t.Errorf("MatchGlob(%q, %q) = %v", tt.value, tt.pattern, got)
		}
	}
}
