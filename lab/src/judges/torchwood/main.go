// Command torchwood judges a proof of ours by a policy of C2SP: torchwood <policy> <entry> <proof>.
package main

import (
	"fmt"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	if err := judge(os.Args[1:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func judge(paths []string) error {
	var files [3][]byte
	for i, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files[i] = content
	}
	policy, err := torchwood.ParsePolicy(files[0])
	if err != nil {
		return err
	}
	return torchwood.VerifyProof(policy, tlog.RecordHash(files[1]), files[2])
}
