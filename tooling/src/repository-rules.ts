import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFiles, matching } from './sources.ts'
import { findViolations, type Import, readImports } from './boundaries.ts'
import { type ceilings, compareCeremony } from './ceilings.ts'
import { findCeremony, isMeasured, type Place } from './ceremony.ts'
import { findCycles } from './cycles.ts'
import { familySchemas, findFamilyNames, namingFiles } from './family-names.ts'
import { findLateAwaits } from './late-awaits.ts'
import { findBreakingStatements } from './migration-rules.ts'
import { findHalfSentences, findRefusedWords, wordFiles } from './words.ts'

const maxLines = 300
const maxToolingLines = 3_000
const generated: readonly string[] = ['server/src/ports/database/tables.ts']

export type Expected = {
  readonly minSources: number
  /** Also refuse the words that `words.ts` lists. */
  readonly words: boolean
  readonly ceilings: typeof ceilings
}

/** Returns a sentence for each violation. */
export const inspect = async (root: string, expected: Expected): Promise<string[]> => {
  // Listed once: git takes longer than all that is done with a planted file.
  const files = await listFiles(root, ['*'])
  const sources = matching(files)
  const imports = new Map(
    await Promise.all(sources.map(async (path) => [path, await readImports(root, path)] as const)),
  )
  const found = (
    await Promise.all([...imports].map(([path, imported]) => inspectFile(root, path, imported)))
  ).flat()
  found.push(...inspectCycles(imports))
  found.push(...(await inspectTooling(root, sources)))
  found.push(...compareCeremony(await readCeremony(root, sources), expected.ceilings))
  found.push(...(await inspectOtherLanguages(root, files)))
  found.push(...(await inspectMigrations(root, files)))
  found.push(...(await inspectFamilyNames(root, files)))
  if (expected.words) found.push(...(await inspectWords(root, files)))
  if (sources.length < expected.minSources) {
    found.push(
      `only ${sources.length} sources were read, expected at least ${expected.minSources}: the check reads nothing`,
    )
  }
  return found
}

const inspectFile = async (root: string, path: string, imports: readonly Import[]): Promise<string[]> => {
  const text = await readFile(join(root, path), 'utf8')
  const violations = findViolations(imports).map(({ rule, target }) => `${path} imports ${target}: ${rule}`)
  const late = findLateAwaits(path, text).map(
    (line) => `${path}:${line} waits after it has declared tests: those that follow may be cancelled`,
  )
  return [...violations, ...late, ...inspectText(path, text)]
}

const readCeremony = async (root: string, sources: readonly string[]): Promise<readonly Place[]> => {
  const found = sources
    .filter(isMeasured)
    .map(async (path) => findCeremony(path, await readFile(join(root, path), 'utf8')))
  return (await Promise.all(found)).flat()
}

const inspectCycles = (imports: ReadonlyMap<string, readonly Import[]>): string[] => {
  const targets = new Map([...imports].map(([path, list]) => [path, list.map(({ target }) => target)]))
  return findCycles(targets).map(
    ([first = '', ...others]) => `${first} is in a cycle of imports with ${others.join(', ')}`,
  )
}

/** Who changes a field passes through tooling, so that it stays small enough to be read. */
const inspectTooling = async (root: string, sources: readonly string[]): Promise<string[]> => {
  const paths = sources.filter((path) => path.startsWith('tooling/') && !/\.(test|suite)\.ts$/.test(path))
  const texts = await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')))
  const lines = texts.reduce((sum, text) => sum + linesOf(text), 0)
  return lines > maxToolingLines
    ? [
        `tooling/ has ${lines} lines without its tests: at most ${maxToolingLines}. What breaks, loads or measures belongs in lab/`,
      ]
    : []
}

/** The verifiers, and what tests compile. */
const inspectOtherLanguages = async (root: string, files: readonly string[]): Promise<string[]> => {
  const paths = matching(files, ['*.go', '*.py'])
  const texts = paths.map(async (path) => tooLong(path, await readFile(join(root, path), 'utf8')))
  return (await Promise.all(texts)).flat()
}

const inspectMigrations = async (root: string, files: readonly string[]): Promise<string[]> => {
  const paths = matching(files, ['server/src/migrations/*.sql'])
  const texts = paths.map(async (path) =>
    findBreakingStatements(path, await readFile(join(root, path), 'utf8')),
  )
  return (await Promise.all(texts)).flat()
}

const linesOf = (text: string): number => text.split('\n').length - 1

const inspectFamilyNames = async (root: string, files: readonly string[]): Promise<string[]> => {
  const schemas = matching(files, [familySchemas])
  const texts = matching(files)
    .filter((path) => !Object.hasOwn(namingFiles, path))
    .map(async (path) => {
      const names = findFamilyNames(path, await readFile(join(root, path), 'utf8'), schemas)
      return names.map(
        (name) => `${path} names the family ${name}: only its folder does, as a part of \`Family\``,
      )
    })
  return (await Promise.all(texts)).flat()
}

const tooLong = (path: string, text: string): string[] => {
  const lines = linesOf(text)
  return lines > maxLines && !generated.includes(path)
    ? [`${path} has ${lines} lines: at most ${maxLines}`]
    : []
}

const inspectWords = async (root: string, files: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for (const path of matching(files, wordFiles)) {
    const text = await readFile(join(root, path), 'utf8')
    for (const { line, word } of findRefusedWords(path, text))
      found.push(`${path}:${line} says “${word}”: use a plain word`)
    for (const { line, word } of findHalfSentences(path, text))
      found.push(`${path}:${line} is a comment that begins with “${word}”: write a sentence or a noun phrase`)
  }
  return found
}

const inspectText = (path: string, text: string): string[] => {
  const isTest = /\.(test|suite)\.ts$/.test(path) || path.startsWith('server/test/')
  return [
    ...tooLong(path, text),
    ...(/\bprocess\.env\b/.test(text) &&
    path.startsWith('server/src/') &&
    path !== 'server/src/main.ts' &&
    !isTest
      ? [`${path} reads process.env: only main.ts does, and config.ts parses it`]
      : []),
    ...(/\bAbortSignal\.timeout\(|\bsocket\.setTimeout\(/.test(text) &&
    path.startsWith('server/src/') &&
    !isTest
      ? [`${path} has a timer that decides alone: use a deadline of lib/deadline.ts, which reads first`]
      : []),
    ...(/\bDate\.now\(\)|new Date\(\)/.test(text) && path.startsWith('server/src/services/') && !isTest
      ? [`${path} reads the time of the machine: use the clock, so that a test can move it`]
      : []),
  ]
}
