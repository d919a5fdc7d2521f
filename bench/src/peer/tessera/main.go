// The log of others that the measurement "ledger" runs beside ours: Tessera in a folder. It appends as many signed entries
// as each line of its input says, all at once, and answers with nanoseconds of wall and of processor time.
package main

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

const signatureBytes = ed25519.SignatureSize

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func processorTime() int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	folder, entryBytes := os.Args[1], must(strconv.Atoi(os.Args[2]))
	ctx := context.Background()
	noteKey, _, err := note.GenerateKey(rand.Reader, "bench.example.com/peer")
	if err != nil {
		panic(err)
	}
	signer := must(note.NewSigner(noteKey))
	driver := must(posix.New(ctx, posix.Config{Path: folder}))
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithBatching(256, 10*time.Millisecond).
		WithCheckpointInterval(100 * time.Millisecond)
	appender, stop, _, err := tessera.NewAppender(ctx, driver, options)
	if err != nil {
		panic(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}

	// Like a transaction of ours: a text and a signature over it, each checked before it is appended.
	sign := func() []byte {
		text := make([]byte, entryBytes-signatureBytes)
		if _, err := rand.Read(text); err != nil {
			panic(err)
		}
		return append(text, ed25519.Sign(private, text)...)
	}
	add := func(entry []byte) {
		text, signature := entry[:len(entry)-signatureBytes], entry[len(entry)-signatureBytes:]
		if !ed25519.Verify(public, text, signature) {
			panic("a signature is wrong")
		}
		must(appender.Add(ctx, tessera.NewEntry(entry))())
	}

	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		entries := make([][]byte, must(strconv.Atoi(lines.Text())))
		for at := range entries {
			entries[at] = sign()
		}
		startedAt, used := time.Now(), processorTime()
		var all sync.WaitGroup
		for _, entry := range entries {
			all.Go(func() { add(entry) })
		}
		all.Wait()
		fmt.Println(time.Since(startedAt).Nanoseconds(), processorTime()-used)
	}
	if err := stop(ctx); err != nil {
		panic(err)
	}
}
