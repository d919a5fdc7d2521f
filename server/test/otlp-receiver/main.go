// Receives OTLP over HTTP with the receiver of the OpenTelemetry Collector, and prints what it understood, one line of JSON for each
// request.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

var printing sync.Mutex

func show(line []byte, err error) error {
	if err != nil {
		return err
	}
	printing.Lock()
	defer printing.Unlock()
	_, err = fmt.Println(string(line))
	return err
}

func run(endpoint string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig()
	given := map[string]any{"protocols": map[string]any{"http": map[string]any{"endpoint": endpoint}}}
	if err := confmap.NewFromStringMap(given).Unmarshal(config); err != nil {
		return err
	}
	traces, err := consumer.NewTraces(func(_ context.Context, received ptrace.Traces) error {
		return show((&ptrace.JSONMarshaler{}).MarshalTraces(received))
	})
	if err != nil {
		return err
	}
	metrics, err := consumer.NewMetrics(func(_ context.Context, received pmetric.Metrics) error {
		return show((&pmetric.JSONMarshaler{}).MarshalMetrics(received))
	})
	if err != nil {
		return err
	}
	settings := receivertest.NewNopSettings(factory.Type())
	ofTraces, err := factory.CreateTraces(ctx, settings, config, traces)
	if err != nil {
		return err
	}
	ofMetrics, err := factory.CreateMetrics(ctx, settings, config, metrics)
	if err != nil {
		return err
	}
	if err := ofTraces.Start(ctx, componenttest.NewNopHost()); err != nil {
		return err
	}
	if err := ofMetrics.Start(ctx, componenttest.NewNopHost()); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
