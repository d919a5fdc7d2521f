import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** The metrics of one process. */
export type Report = readonly MetricObjectWithValues<MetricValue<string>>[]

/** What one process gets from the primary process when it starts. */
export type Begin = {
  readonly kind: 'begin'
  /** Its number, from 1 on. A process that replaces another one has the same. */
  readonly number: number
  readonly count: number
  /** The first one to start creates the first operator and prints the addresses. */
  readonly isFirst: boolean
  /** How long the primary process took until now. */
  readonly elapsedMs: number
  readonly ports: { readonly port: number; readonly mqttPort?: number; readonly mqttsPort?: number }
  /** The unix socket at which the process with MQTT takes WebSockets over from the others. */
  readonly relayPath: string
}

export type ToProcess =
  | Begin
  | { readonly kind: 'report'; readonly id: number }
  | { readonly kind: 'collected'; readonly asked: number; readonly reports: readonly Report[] }

export type ToPrimary =
  /** It listens: a message that arrives before would be lost. */
  | { readonly kind: 'hello' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'collect'; readonly asked: number }
  | { readonly kind: 'reported'; readonly id: number; readonly report: Report }
