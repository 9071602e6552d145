package bundle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of the ustar header; beyond them a PAX record speaks.
const (
	ustarName = 100
	ustarSize = 1<<33 - 1
)

// header is the tar header of a regular file without owner or time (POSIX.1-2001
// pax). Names over 100 bytes and sizes of 8 GiB and more become PAX records; a
// comment of that many spaces stretches the header.
func header(name string, size int64, comment int) []byte {
	var records []byte
	if len(name) > ustarName {
		records = appendRecord(records, "path", name)
	}
	if size > ustarSize {
		records = appendRecord(records, "size", strconv.FormatInt(size, 10))
	}
	if comment > 0 {
		records = appendRecord(records, "comment", spaces[:comment])
	}
	if records == nil {
		return ustar('0', name, size)
	}
	h := make([]byte, 0, roundUp(int64(len(records)), block)+2*block)
	h = append(h, ustar('x', "PaxHeaders/"+name, int64(len(records)))...)
	h = append(h, records...)
	h = h[:roundUp(int64(len(h)), block)]
	return append(h, ustar('0', name, size)...)
}

var spaces = strings.Repeat(" ", PageSize)

// appendRecord appends a PAX record: its own length in decimal, key, value.
func appendRecord(b []byte, key, value string) []byte {
	rest := len(key) + len(value) + len(" =\n")
	n := rest
	for n != rest+len(strconv.Itoa(n)) {
		n = rest + len(strconv.Itoa(n))
	}
	b = slices.Grow(b, n)
	b = strconv.AppendInt(b, int64(n), 10)
	b = append(append(append(b, ' '), key...), '=')
	return append(append(b, value...), '\n')
}

// ustar is one header block (POSIX.1-1988 fields; owner, time and devices zero).
func ustar(kind byte, name string, size int64) []byte {
	if size > ustarSize {
		size = 0
	}
	h := make([]byte, block)
	copy(h[:ustarName], name)
	copy(h[100:], "0000644\x000000000\x000000000\x00") // mode, uid, gid
	copy(h[124:], fmt.Sprintf("%011o\x00%011o\x00", size, 0))
	copy(h[148:], "        ") // the checksum counts itself as spaces
	h[156] = kind
	copy(h[257:], "ustar\x0000")
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
	return h
}
