import { lengthOf, longestOf, type Silence } from './availability.ts'
import { type Inflicted, type Measured, measured, type Result } from './run.ts'

const goalSeconds: Readonly<Record<Measured, number>> = {
  accept: 2,
  record: 15,
  verify: 2,
  mqtt: 15,
  'mqtt reconnect': 15,
}
const mostDifferences = 50

/** The lines that say what a run found, tables in Markdown. */
export const reportOf = (result: Result): readonly string[] => [
  ...overview(result),
  '',
  ...longestSilences(result),
  '',
  ...byFault(result),
  '',
  ...memory(result),
  '',
  ...sizes(result),
  '',
  ...result.differences.slice(0, mostDifferences).map((difference) => `✗ ${difference}`),
  result.differences.length === 0
    ? '✓ each once, and nothing lost'
    : `✗ ${result.differences.length} differences`,
]

const secondsOf = (ms: number): string => (ms / 1_000).toFixed(1)

const inPercent = (values: readonly number[], percent: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor((values.length * percent) / 100))
  ] ?? 0

const overview = (result: Result): string[] => {
  const { seconds, accepted, answers } = result
  const counted = [...answers].toSorted(([one], [other]) => one - other)
  const spread = (values: readonly number[]): string => {
    const [p50, p99, slowest] = [50, 99, 100].map((percent) => secondsOf(inPercent(values, percent)))
    return `p50 ${p50} s, p99 ${p99} s, the slowest ${slowest} s`
  }
  return [
    `accepted    ${accepted} in ${seconds.toFixed(0)} s, ${(accepted / seconds).toFixed(1)} a second, ${result.certificates}`,
    `            ${result.skipped} turns skipped, because too many clients waited`,
    `answers     ${counted.map(([status, many]) => `${status === 0 ? 'none' : status}: ${many}`).join(', ')}`,
    `accepted    after ${spread(result.acceptedAfterMs)}`,
    `recorded    after ${spread(result.recordedAfterMs)}`,
    `sent (MQTT) after ${spread(result.sentAfterMs)}`,
    `S3          ${[...result.storeRequests].map(([method, many]) => `${method}: ${many}`).join(', ')}`,
    `faults      ${result.faults.length}; ${result.checkpoints} checkpoints kept; ${result.repeatedMessages} MQTT messages repeated`,
  ]
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

/** The last answer before a fault may have come a little earlier. */
const toleranceMs = 1_000

/** After whose start the silence began. */
const faultBefore = (faults: readonly Inflicted[], { fromMs, toMs }: Silence): Inflicted | undefined =>
  faults.findLast((fault) => fault.fromMs - toleranceMs <= fromMs && fault.fromMs < toMs)

const longestSilences = ({ silences, faults }: Result): string[] => [
  row('longest time without', 'seconds', 'goal', 'began after'),
  row('---', '---:', '---:', '---'),
  ...measured.map((what) => {
    const longest = longestOf(silences[what])
    const ms = longest === undefined ? 0 : lengthOf(longest)
    const verdict = ms <= goalSeconds[what] * 1_000 ? '✓' : '✗ missed'
    const fault = longest === undefined ? undefined : faultBefore(faults, longest)
    return row(what, secondsOf(ms), `≤ ${goalSeconds[what]} ${verdict}`, fault?.name ?? '–')
  }),
]

/** The longest silences that began after the start of a fault of each kind and before the next fault. */
const byFault = ({ silences, faults }: Result): string[] => {
  const longestAfter = (name: string, what: Measured): string => {
    const longest = longestOf(silences[what].filter((one) => faultBefore(faults, one)?.name === name))
    return longest === undefined ? '–' : secondsOf(lengthOf(longest))
  }
  const names = [...new Set(faults.map(({ name }) => name))].toSorted()
  return [
    row('fault', 'times', 'lasted up to', ...measured),
    row('---', '---:', '---:', ...measured.map(() => '---:')),
    ...names.map((name) => {
      const lengths = faults.filter((fault) => fault.name === name).map(lengthOf)
      const longest = measured.map((what) => longestAfter(name, what))
      return row(name, lengths.length, secondsOf(Math.max(...lengths)), ...longest)
    }),
  ]
}

const memory = ({ memory: { before, after, starts } }: Result): string[] => [
  row('process', 'MB at the start', 'MB at the end', 'started'),
  row('---', '---:', '---:', '---:'),
  ...[...before].map(([name, megabytes]) =>
    row(name, megabytes.toFixed(0), (after.get(name) ?? 0).toFixed(0), starts.get(name) ?? 0),
  ),
]

const sizes = ({ sizes: { before, after }, accepted }: Result): string[] => {
  const grown = [...after].map(([name, bytes]) => ({ name, bytes: bytes - (before.get(name) ?? 0) }))
  const each = (bytes: number): string => (bytes / Math.max(1, accepted)).toFixed(0)
  return [
    row('what', 'bytes for each certificate', 'MB in all'),
    row('---', '---:', '---:'),
    ...grown
      .filter(({ bytes }) => bytes > 0)
      .toSorted((one, other) => other.bytes - one.bytes)
      .map(({ name, bytes }) => row(name, each(bytes), (bytes / 1e6).toFixed(1))),
  ]
}
