// Command millseal-verifier verifies proof bundles of Millseal and watches its logs.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

const usage = `Usage:
  millseal-verifier verify <file> --bundle <bundle.json> --policy <policy.json> [--mode test]
                           [--max-status-age <days>] [--now <time>]
  millseal-verifier vectors <folder>
  millseal-verifier watch --from <checkpoint or bundle> --url <log url> --key <vkey> [--once]
                          [--state <file>] [--every <seconds>] [--full]
`

// Exit codes of several places.
const (
	exitDifferent = 1
	exitUsage     = 2
	exitUnchecked = 5
	exitOld       = 6
)

var errUsage = errors.New("wrong arguments")

func main() {
	code, err := run(os.Args[1:], os.Stdout)
	if errors.Is(err, errUsage) {
		fmt.Fprint(os.Stderr, usage)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "millseal-verifier:", err)
	}
	os.Exit(code)
}

func run(arguments []string, out io.Writer) (int, error) {
	if len(arguments) == 0 {
		return exitUsage, errUsage
	}
	switch arguments[0] {
	case "verify":
		return runVerify(arguments[1:], out)
	case "vectors":
		if len(arguments) != 2 {
			return exitUsage, errUsage
		}
		return runVectors(arguments[1], out)
	case "watch":
		return runWatch(arguments[1:], out)
	}
	return exitUsage, errUsage
}

func runVerify(arguments []string, out io.Writer) (int, error) {
	flags := flag.NewFlagSet("verify", flag.ContinueOnError)
	bundlePath := flags.String("bundle", "", "the proof bundle")
	policyPath := flags.String("policy", "", "the trust policy")
	mode := flags.String("mode", "live", "test accepts certificates of a test log")
	days := flags.String("max-status-age", "", "how many days old a status may be, by default 30 or what the policy says")
	now := flags.String("now", "", "the time of the verification, by default that of the clock")
	files, err := parseInterspersed(flags, arguments)
	if err != nil || len(files) != 1 || *bundlePath == "" || *policyPath == "" || (*mode != "live" && *mode != "test") {
		return exitUsage, errUsage
	}
	when, err := readingFrom(*now, *days)
	if err != nil {
		return exitUsage, err
	}
	file, err := readCertificate(files[0])
	if err != nil {
		return exitUsage, err
	}
	policy, err := readPolicyFile(*policyPath)
	if err != nil {
		return exitUsage, err
	}
	content, err := os.ReadFile(*bundlePath)
	if err != nil {
		return exitUsage, err
	}
	result := verifyText(file, content, policy, when)
	result.print(out)
	return result.exitCode(*mode), nil
}

func runWatch(arguments []string, out io.Writer) (int, error) {
	flags := flag.NewFlagSet("watch", flag.ContinueOnError)
	options := watchOptions{}
	flags.StringVar(&options.from, "from", "", "a checkpoint or a proof bundle of the log")
	flags.StringVar(&options.url, "url", "", "the address of the log, before /checkpoint")
	flags.StringVar(&options.key, "key", "", "the key of the log")
	flags.StringVar(&options.state, "state", "", "where to keep the newest checkpoint")
	flags.BoolVar(&options.once, "once", false, "check once and exit")
	flags.BoolVar(&options.full, "full", false, "read every entry, and recompute the status tree")
	seconds := flags.Float64("every", 60, "seconds between two checks")
	rest, err := parseInterspersed(flags, arguments)
	if err != nil || len(rest) > 0 || options.from == "" || options.url == "" || options.key == "" || *seconds <= 0 {
		return exitUsage, errUsage
	}
	options.every = time.Duration(*seconds * float64(time.Second))
	return watch(options, out)
}

// parseInterspersed accepts flags after the file, which package flag does not.
func parseInterspersed(flags *flag.FlagSet, arguments []string) ([]string, error) {
	flags.SetOutput(io.Discard)
	var others []string
	for {
		if err := flags.Parse(arguments); err != nil {
			return nil, err
		}
		if flags.NArg() == 0 {
			return others, nil
		}
		others = append(others, flags.Arg(0))
		arguments = flags.Args()[1:]
	}
}
