import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { listFiles } from '../../../tooling/src/sources.ts'

/** A line of a test where elapsed time could decide the result. */
type Place = { readonly file: string; readonly kind: string; readonly line: string }
/** A place that somebody read: why it cannot decide the result on a machine that stands still for seconds. */
type Harmless = Place & {
  readonly reason: string
  /** If the same line is in the file more than once. */
  readonly times?: number
}
type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}
/** What is known of a node besides itself. */
type Around = {
  /** Names of functions of `node:timers`. */
  readonly timers: ReadonlySet<string>
  /** Names of what was read from a clock. */
  readonly readings: ReadonlySet<string>
  readonly isOperand: boolean
  readonly isCompared: boolean
}

export const harmlessFile = 'lab/time-in-tests.json'
/** It plants what is found. */
const itsTest = 'lab/src/time-in-tests/time-in-tests.test.ts'
const patterns = [
  '*.test.ts',
  '*.test.tsx',
  '*.suite.ts',
  'server/test/*.ts',
  '*/testing/*.ts',
  `:!${itsTest}`,
]

/** What ends after this time at most may end what a machine only delays. */
const shortMs = 5_000
/** What ends after this time at least ends only what would never end. */
const patientMs = 60_000

const timeName = /^(?:\w*(?:Ms|Millis|Seconds|Timeout|Deadline|Interval)|timeout|deadline|interval)$/
/** Pauses between two looks, and records of what has been. */
const harmlessNames = new Set(['everyMs', 'durationMs', 'fromMs', 'toMs', 'retryAfterSeconds'])
const settingName = /^MILLSEAL_\w*(?:MS|SECONDS|MINUTES|TIMEOUT|INTERVAL)\w*$/
const sleepers = /^(?:sleep|delay|pause)$|(?:^|\.)(?:waitForTimeout|scheduler\.wait)$/
const processClock = /^(?:performance\.now|process\.(?:hrtime(?:\.bigint)?|uptime))$/

const kindOf = (node: Node, { timers, readings, isOperand, isCompared }: Around): string | undefined => {
  const called = calledBy(node)
  if (timers.has(called) || sleepers.test(called)) return 'sleep'
  if (/^(?:globalThis\.)?set(?:Timeout|Interval)$/.test(called)) return 'timer'
  if (called === 'AbortSignal.timeout') return isPatient(node) ? undefined : 'deadline'
  if (isOperand && processClock.test(called)) return 'elapsed'
  if (isOperand && (called === 'Date.now' || isNewDate(node))) return 'wall clock'
  if (isOperand && /(?:^|\.)clock\.now$/.test(called)) return 'wall clock'
  if (isCompared && node.type === 'Identifier' && readings.has(nameOf(node))) return 'wall clock'
  if (called === 'Promise.race') return 'race'
  if (/(?:^|\.)(?:utcDay|get(?:UTC)?(?:Date|Day|Month|Hours|Minutes|FullYear))$/.test(called))
    return 'calendar'
  if (/(?:^|\.)(?:boundingBox|getBoundingClientRect|requestAnimationFrame)$/.test(called)) return 'geometry'
  return isShortTime(node) ? 'short time' : undefined
}

/** In strings, which other processes, pages and databases run. */
const kindsOfText: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['sleep', /\bpg_sleep\(|\bwaitForTimeout\(/g],
  ['timer', /\bset(?:Timeout|Interval)\(/g],
  ['elapsed', /\bperformance\.now\(/g],
  ['schedule', /(?<=^['"`])(?:[\d*/,-]+ ){2,3}\* \* \*(?=['"`]$)| \* \* \*(?=`$)|\bset cron\b/g],
  [
    'geometry',
    /\b(?:getBoundingClientRect|requestAnimationFrame)\(|\bscroll(?:Y|To|By|Top)\b|\baria-rowindex\b/g,
  ],
]

type Inspected = {
  /** A sentence for each place that the list lacks, and for each line of the list that is wrong. */
  readonly sentences: readonly string[]
  readonly files: number
}

export const inspectTimes = async (root: string): Promise<Inspected> => {
  const files = await listFiles(root, patterns)
  const found = await Promise.all(
    files.map(async (file) => placesIn(file, await readFile(join(root, file), 'utf8'))),
  )
  const known = JSON.parse(await readFile(join(root, harmlessFile), 'utf8')) as readonly Harmless[]
  return { sentences: compare(found.flat(), known), files: files.length }
}

const compare = (found: readonly Place[], known: readonly Harmless[]): readonly string[] => {
  const left = new Map<string, number>()
  for (const place of found) left.set(keyOf(place), (left.get(keyOf(place)) ?? 0) + 1)
  const sentences: string[] = []
  for (const entry of known) {
    const remaining = (left.get(keyOf(entry)) ?? 0) - (entry.times ?? 1)
    left.set(keyOf(entry), remaining)
    if (remaining < 0) sentences.push(`is no longer in its test: ${keyOf(entry)}`)
    if (entry.reason.split(' ').length < 3) sentences.push(`has no reason: ${keyOf(entry)}`)
  }
  for (const [key, remaining] of left)
    if (remaining > 0) sentences.push(`may decide a test (${remaining} times): ${key}`)
  return sentences
}

const keyOf = ({ file, kind, line }: Place): string => JSON.stringify({ file, kind, line })

/** At most one of each kind on a line. */
export const placesIn = (file: string, text: string): readonly Place[] => {
  const body = parseSync(file, text).program.body as unknown as readonly Node[]
  const timers = timersOf(body)
  const readings = new Set<string>()
  const lines = text.split('\n')
  const found = new Map<string, Place>()
  const add = (kind: string, offset: number): void => {
    const at = text.slice(0, offset).split('\n').length
    if (kind === 'wall clock' && found.has(`${at} elapsed`)) return
    found.set(`${at} ${kind}`, { file, kind, line: lines[at - 1]?.trim() ?? '' })
  }
  const visit = (node: Node, isOperand: boolean, isCompared: boolean): void => {
    if (node.type === 'ImportDeclaration') return
    if (isReading(node)) readings.add(nameOf(node['id']))
    const kind = kindOf(node, { timers, readings, isOperand, isCompared })
    if (kind !== undefined) add(kind, node.start)
    if (isText(node))
      for (const [ofText, pattern] of kindsOfText)
        for (const { index } of text.slice(node.start, node.end).matchAll(pattern))
          add(ofText, node.start + index)
    const compares = isComparison(node)
    const operates = compares || (node.type === 'BinaryExpression' && /^[-+]$/.test(String(node['operator'])))
    for (const child of childrenOf(node)) visit(child, isOperand || operates, isCompared || compares)
  }
  for (const statement of body) visit(statement, false, false)
  return [...found.values()]
}

const timersOf = (body: readonly Node[]): ReadonlySet<string> =>
  new Set(
    body
      .filter(({ type, source }) => type === 'ImportDeclaration' && /^(?:node:)?timers/.test(valueOf(source)))
      .flatMap(({ specifiers }) => specifiers as readonly Node[])
      // A turn of the event loop is no time.
      .filter(({ imported }) => nameOf(imported) !== 'setImmediate')
      .map(({ local }) => nameOf(local)),
  )

/** `const started = performance.now()`: compared later, it is as good as the call. */
const isReading = (node: Node): boolean => {
  const init = node.type === 'VariableDeclarator' ? asNode(node['init']) : undefined
  return init !== undefined && (/(?:^|\.)now$/.test(calledBy(init)) || isNewDate(init))
}

const isComparison = (node: Node): boolean =>
  (node.type === 'BinaryExpression' && /^[<>]=?$/.test(String(node['operator']))) ||
  calledBy(node) === 'Math.abs'

const isNewDate = (node: Node): boolean =>
  node.type === 'NewExpression' && nameOf(node['callee']) === 'Date' && argumentsOf(node).length === 0

const isPatient = (call: Node): boolean => {
  const [given] = argumentsOf(call)
  return given !== undefined && (numberOf(given) ?? 0) >= patientMs
}

/** `timeoutMs: 200`, `timeoutMs = 200`, and a setting. */
const isShortTime = (node: Node): boolean => {
  const [name, value] = namedValue(node)
  if (value === undefined || harmlessNames.has(name)) return false
  if (settingName.test(name)) return /^\d+$/.test(valueOf(value))
  const given = numberOf(value)
  if (!timeName.test(name) || given === undefined || given === 0) return false
  return name === 'timeout' || given * (name.endsWith('Seconds') ? 1_000 : 1) <= shortMs
}

const namedValue = (node: Node): readonly [name: string, value: Node | undefined] => {
  if (node.type === 'Property') return [nameOf(node['key']), asNode(node['value'])]
  if (node.type === 'VariableDeclarator') return [nameOf(node['id']), asNode(node['init'])]
  if (node.type === 'AssignmentPattern') return [nameOf(node['left']), asNode(node['right'])]
  return ['', undefined]
}

/** `a.b` for `a.b()`. */
const calledBy = (node: Node): string => (node.type === 'CallExpression' ? pathOf(node['callee']) : '')

const pathOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type !== 'MemberExpression') return nameOf(node)
  return `${pathOf(node['object'])}.${nameOf(node['property'])}`
}

const isText = ({ type, value }: Node): boolean =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')

const argumentsOf = (node: Node): readonly Node[] => (node['arguments'] as readonly Node[] | undefined) ?? []
const nameOf = (node: unknown): string => {
  const name = isNode(node) ? (node['name'] ?? node['value']) : undefined
  return typeof name === 'string' ? name : ''
}
const valueOf = (node: unknown): string => (isNode(node) ? String(node['value']) : '')
const numberOf = ({ value }: Node): number | undefined => (typeof value === 'number' ? value : undefined)

const childrenOf = (node: Node): readonly Node[] => {
  const children: Node[] = []
  for (const value of Object.values(node))
    if (isNode(value)) children.push(value)
    else if (Array.isArray(value)) children.push(...(value as unknown[]).filter(isNode))
  return children
}

const asNode = (value: unknown): Node | undefined => (isNode(value) ? value : undefined)

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value
