import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client'
import type { Attributes } from '../../../ports/tracer/tracer.ts'
import { encodeAttributes, unixNano } from './encode-spans.ts'

export type Measured = {
  readonly metrics: readonly MetricObjectWithValues<MetricValue<string>>[]
  /** When this process began to count. */
  readonly sinceUnixMs: number
  readonly atUnixMs: number
}

const cumulative = 2

/** The metrics of Prometheus under their names there, so that rules and dashboards are the same for both ways. */
export const encodeMetrics = (resource: Attributes, { metrics, sinceUnixMs, atUnixMs }: Measured) => {
  const times = { startTimeUnixNano: unixNano(sinceUnixMs), timeUnixNano: unixNano(atUnixMs) }
  return {
    resourceMetrics: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeMetrics: [
          {
            scope: { name: 'millseal' },
            metrics: metrics.map((metric) => ({
              name: metric.name,
              description: metric.help,
              unit: unitOf(metric.name),
              ...dataOf(metric, times),
            })),
          },
        ],
      },
    ],
  }
}

const unitOf = (name: string): string => {
  const [, unit = ''] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return { seconds: 's', bytes: 'By' }[unit] ?? ''
}

type Times = { readonly startTimeUnixNano: string; readonly timeUnixNano: string }

const dataOf = ({ type, values }: MetricObjectWithValues<MetricValue<string>>, times: Times) => {
  // Of prom-client, whose types say it is an enum and whose values are words.
  const kind = String(type)
  if (kind === 'histogram') {
    return { histogram: { aggregationTemporality: cumulative, dataPoints: histogramPoints(values, times) } }
  }
  const dataPoints = values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ ...times, attributes: labelsOf(labels), asDouble: value }))
  return kind === 'counter'
    ? { sum: { aggregationTemporality: cumulative, isMonotonic: true, dataPoints } }
    : { gauge: { dataPoints } }
}

const labelsOf = ({ le: _le, ...labels }: MetricValue<string>['labels']) =>
  encodeAttributes(
    Object.fromEntries(
      Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ),
  )

/** Prometheus counts everything up to a bound, OTLP what is between two. */
const histogramPoints = (values: readonly MetricValueWithName<string>[], times: Times) =>
  [...Map.groupBy(values, ({ labels }) => JSON.stringify(labelsOf(labels))).values()].map((series) => {
    const named = (end: string) => series.filter(({ metricName }) => metricName?.endsWith(end) === true)
    const upTo = named('_bucket').map(({ value }) => value)
    const bounds = named('_bucket').map(({ labels }) => Number(labels['le']))
    return {
      ...times,
      attributes: labelsOf(series[0]?.labels ?? {}),
      count: String(named('_count')[0]?.value ?? 0),
      sum: named('_sum')[0]?.value ?? 0,
      bucketCounts: upTo.map((count, at) => String(count - (upTo[at - 1] ?? 0))),
      explicitBounds: bounds.filter(Number.isFinite),
    }
  })
