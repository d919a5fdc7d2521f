import { Secret } from '../lib/secret.ts'
import { samplers } from '../ports/tracer/samplers.ts'
import { line, setting, wholeNumber } from './setting-values.ts'

/** The names and meanings of OpenTelemetry, which other programs on the machine may share. */
export const telemetrySettings = {
  otlpEndpoint: setting({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about:
      'URL of an OpenTelemetry collector that takes OTLP over HTTP, to which traces and metrics are sent; /v1/traces and /v1/metrics are appended.',
    fallback: '',
    read: (value): string | undefined => {
      if (value === '') return undefined
      const { protocol, username, password, search, hash } = URL.canParse(value)
        ? new URL(value)
        : new URL('none://')
      if (!['http:', 'https:'].includes(protocol) || `${username}${password}${search}${hash}` !== '')
        throw new Error(
          'a URL starting with http:// or https://, without a password or a query; use OTEL_EXPORTER_OTLP_HEADERS for secrets',
        )
      return value.replace(/\/$/, '')
    },
  }),
  otlpHeaders: setting({
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    about:
      'Headers of those requests, as name=value, separated by commas; values are percent-encoded. Secret.',
    fallback: '',
    read: (value): Secret<Readonly<Record<string, string>>> =>
      new Secret(Object.fromEntries(value === '' ? [] : value.split(',').map(readHeader))),
  }),
  otlpProtocol: setting({
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    about:
      'Only http/json is supported; collectors take it at the address of http/protobuf, usually port 4318.',
    fallback: 'http/json',
    read: (value): 'http/json' => {
      if (value !== 'http/json')
        throw new Error('http/json, which collectors take where they take http/protobuf')
      return value
    },
  }),
  otelServiceName: setting({
    name: 'OTEL_SERVICE_NAME',
    about: 'Name of this service in traces and metrics.',
    fallback: 'millseal',
    read: line,
  }),
  tracesSampler: setting({
    name: 'OTEL_TRACES_SAMPLER',
    about: `Which traces are sent: ${samplers.join(', ')}.`,
    fallback: 'parentbased_always_on',
    read: (value) => {
      const sampler = samplers.find((known) => known === value)
      if (sampler === undefined) throw new Error(`one of ${samplers.join(', ')}`)
      return sampler
    },
  }),
  tracesSamplerArg: setting({
    name: 'OTEL_TRACES_SAMPLER_ARG',
    about: 'Share of traces that are sent, from 0 to 1, for samplers that end with traceidratio.',
    fallback: '1',
    read: (value): number => {
      if (!/^(?:0(?:\.\d{1,15})?|1(?:\.0{1,15})?)$/.test(value))
        throw new Error('a number from 0 to 1, for example 0.1')
      return Number(value)
    },
  }),
  metricIntervalMs: setting({
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    about: 'Milliseconds between two exports of the metrics.',
    fallback: '60000',
    read: wholeNumber(100, 3_600_000),
  }),
  otelDisabled: setting({
    name: 'OTEL_SDK_DISABLED',
    about: 'true turns traces and metrics off, whatever the other settings of OpenTelemetry say.',
    fallback: 'false',
    read: (value): boolean => {
      if (!['true', 'false'].includes(value.toLowerCase())) throw new Error('true or false')
      return value.toLowerCase() === 'true'
    },
  }),
}

/** As in W3C Baggage, without properties. */
const readHeader = (entry: string): readonly [string, string] => {
  const [, name, value = ''] = /^\s*([!#$%&'*+.^\w`|~-]{1,100})\s*=\s*(.{0,4000}?)\s*$/.exec(entry) ?? []
  const decoded = decode(value)
  if (name === undefined || decoded === undefined || !/^[\u0020-\u007e]*$/.test(decoded))
    throw new Error('name=value pairs, separated by commas, with percent-encoded values')
  return [name.toLowerCase(), decoded]
}

const decode = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
