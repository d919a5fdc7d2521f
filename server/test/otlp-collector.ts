import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { eventually } from './eventually.ts'
import { goProgram } from './go-program.ts'
import { keep, keptFolder } from './kept-build.ts'
import { freePort } from './server-process.ts'
import { isOpen } from './open-port.ts'

/** The receiver of the OpenTelemetry Collector, in a program that prints what it understood. */
const source = join(import.meta.dirname, 'otlp-receiver')
const digest = ['main.go', 'go.mod', 'go.sum']
  .reduce((hash, file) => hash.update(readFileSync(join(source, file))), createHash('sha256'))
  .digest('hex')
const folder = keptFolder('otlp-receiver', digest)
const program = join(folder, 'otlp-receiver')

/** Why there can be no collector here, or false. CI builds it, so nothing is skipped there. */
export const lacksCollector = async (): Promise<string | false> => {
  const mayBuild = process.env['CI'] === 'true' && process.getuid?.() === 0
  if (!existsSync(program) && mayBuild) await build()
  return existsSync(program) ? false : `the OTLP receiver is not built: go -C ${source} build -o ${program} .`
}

const build = (): Promise<void> =>
  keep(folder, (unfinished) =>
    promisify(execFile)(goProgram, ['build', '-o', join(unfinished, 'otlp-receiver'), '.'], {
      cwd: source,
      env: { ...process.env, GOFLAGS: '-modcacherw -buildvcs=false' },
    }),
  )

type Value = { readonly stringValue?: string; readonly intValue?: string; readonly boolValue?: boolean }
type Attribute = { readonly key: string; readonly value: Value }
type Place = { readonly traceId: string; readonly spanId: string }

export type CollectedSpan = Place & {
  readonly name: string
  readonly kind: number
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  readonly links?: readonly Place[]
  readonly status: { readonly code?: number }
  /** Of the process that sent it. */
  readonly instance: string
}

type SentSpan = Omit<CollectedSpan, 'attributes' | 'instance'> & {
  readonly attributes?: readonly Attribute[]
}

type Resource = { readonly resource: { readonly attributes: readonly Attribute[] } }
type Scoped<Key extends string, Item> = readonly { readonly [K in Key]: readonly Item[] }[]
type Line = {
  readonly resourceSpans?: readonly (Resource & {
    readonly scopeSpans: Scoped<'spans', SentSpan>
  })[]
  readonly resourceMetrics?: readonly (Resource & {
    readonly scopeMetrics: Scoped<'metrics', { readonly name: string }>
  })[]
}

export type Collector = AsyncDisposable & {
  readonly endpoint: string
  /** Everything that it understood so far, as lines of JSON. */
  readonly lines: readonly string[]
  spans(): readonly CollectedSpan[]
  /** The names of all metrics, by the process that sent them. */
  metricNames(): ReadonlyMap<string, ReadonlySet<string>>
}

export const startCollector = async (): Promise<Collector> => {
  const port = await freePort()
  const child = spawn(program, [`127.0.0.1:${port}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line))
  await eventually(
    () => {
      if (child.exitCode !== null) throw new Error('the collector did not start')
      return isOpen(port)
    },
    { what: 'the collector starts', everyMs: 20 },
  )
  const parsed = (): readonly Line[] => lines.map((line) => JSON.parse(line) as Line)
  return {
    endpoint: `http://127.0.0.1:${port}`,
    lines,
    spans: () => parsed().flatMap(spansIn),
    metricNames: () => {
      const named = parsed()
        .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
        .map(({ resource, scopeMetrics }) => ({
          instance: instanceOf(resource),
          names: scopeMetrics.flatMap(({ metrics }) => metrics).map(({ name }) => name),
        }))
      const groups = Map.groupBy(named, ({ instance }) => instance)
      return new Map([...groups].map(([key, all]) => [key, new Set(all.flatMap(({ names }) => names))]))
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const spansIn = ({ resourceSpans = [] }: Line): readonly CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ attributes, ...span }) => ({
        ...span,
        attributes: valuesOf(attributes ?? []),
        instance: instanceOf(resource),
      })),
  )

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue)),
    ]),
  )

const instanceOf = ({ attributes }: Resource['resource']): string =>
  String(valuesOf(attributes)['service.instance.id'])
