import { globSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findAffected } from './affected.ts'
import { type Ring, ringOf } from './rings.ts'
import {
  type Check,
  formatCheck,
  lintCheck,
  readWorkspaces,
  staticChecks,
  typesCheck,
} from './static-checks.ts'

/** What a run of script/test does. */
export type Work = {
  readonly checks: readonly Check[]
  readonly files: readonly string[]
  /** What to tell about the choice. */
  readonly notes: readonly string[]
}

const options = {
  all: { type: 'boolean' },
  servers: { type: 'boolean' },
  browser: { type: 'boolean' },
  processes: { type: 'boolean' },
  changed: { type: 'boolean' },
} as const

/** Throws if there is no such option. No files: nothing matches the names. */
export const selectWork = async (root: string, args: readonly string[]): Promise<Work> => {
  const unknown = args.find((arg) => arg.startsWith('-') && !Object.hasOwn(options, arg.slice(2)))
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}: script/test --help lists all`)
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (values.changed === true) return await changed(root, positionals[0] ?? 'HEAD')
  const rings = ringsOf(values)
  const isIn = (file: string): boolean => rings.length === 0 || rings.includes(ringOf(file))
  if (positionals.length > 0)
    return { checks: [], files: (await filesOf(root, positionals)).filter(isIn), notes: [] }
  const wanted: readonly Ring[] = rings.length === 0 ? ['first'] : rings
  return {
    checks: wanted.includes('first') ? staticChecks(root) : [],
    files: testFiles(
      root,
      readWorkspaces(root).map((name) => `${name}/**/*.test.ts`),
    ).filter((file) => wanted.includes(ringOf(file))),
    notes: [],
  }
}

type Flags = Readonly<Partial<Record<keyof typeof options, boolean>>>

const ringsOf = (flags: Flags): readonly Ring[] => {
  if (flags.all === true) return ['first', 'server', 'browser', 'process']
  const named = { server: flags.servers, browser: flags.browser, process: flags.processes }
  return (['server', 'browser', 'process'] as const).filter((ring) => named[ring] === true)
}

const testFiles = (root: string, patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: root, exclude: ['**/node_modules'] })

/** A folder stands for all in it. */
export const filesOf = async (root: string, patterns: readonly string[]): Promise<readonly string[]> => {
  const found = await Promise.all(
    globSync([...patterns], { cwd: root }).map(async (path) =>
      (await stat(join(root, path))).isDirectory() ? testFiles(root, [`${path}/**/*.test.ts`]) : [path],
    ),
  )
  return [...new Set(found.flat())]
}

/** What a change since a commit can break, without what starts the whole server. */
const changed = async (root: string, since: string): Promise<Work> => {
  const { paths, sources, folders, tests, left } = await findAffected(root, since)
  const notes = [
    `Changed files since ${since}: ${paths.length}. Test files that they reach: ${tests.length}.`,
    `Left to the full run: unused code, and ${left} test files that start the whole server.`,
  ]
  if (paths.length === 0) return { checks: [], files: [], notes }
  const lint = sources.length > 0 ? [lintCheck(root, sources)] : []
  return {
    checks: [...lint, typesCheck(root, folders), formatCheck(root, paths)],
    files: tests,
    notes,
  }
}
