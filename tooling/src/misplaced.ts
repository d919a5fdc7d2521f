import { everything, type Import } from './named-imports.ts'
import { type Ring, ringOf } from './rings.ts'
import { listSources } from './sources.ts'
import { usedDeclarations } from './used-declarations.ts'

/** Followed from here on: what the product can start does not count, unless a test calls it. */
const isOfTests = (path: string): boolean =>
  /\.(test|suite)\.ts$|(^|\/)(test|testing|journeys)\/|^(tooling|lab|bench)\//.test(path)

/** What counts more, if a file starts several. */
const ranks: readonly Ring[] = ['first', 'server', 'process', 'browser']

/** What starts something, by its source and its names. */
const starts: readonly (readonly [Ring, from: string, names: string])[] = [
  ['browser', 'playwright-core', `chromium firefox webkit ${everything}`],
  // Only what runs beside browsers finds the console built.
  ['browser', 'console/budgets.ts', 'builtSizes'],
  ['process', 'node:child_process', `exec execFile execFileSync execSync fork spawn spawnSync ${everything}`],
  ['process', 'server/src/adapters/database/embedded/launcher.ts', 'launchEmbedded'],
  ['process', 'server/src/adapters/database/embedded/postmaster.ts', 'Postmaster'],
  ['server', 'server/src/compose.ts', 'compose'],
]

/** Tests that use them may be in the first ring. */
const allowed: readonly string[] = [
  // One PostgreSQL for all test files.
  'server/test/shared-postgres.ts startSharedPostgres',
  // One server for all test files of a process.
  'server/test/test-server.ts startTestServer',
  // On CI, once.
  'server/test/debian-package.ts installPackage',
  // Git answers at once, and a checkout needs it anyway.
  'tooling/src/git.ts git',
]

/** The sources that the rules above name: a rule about a file that is gone would find nothing. */
export const namedSources: readonly string[] = [
  ...starts.map(([, from]) => from),
  ...allowed.map((key) => key.split(' ', 1)[0] ?? ''),
].filter((path) => path.endsWith('.ts'))

/** Returns a sentence for each test file whose name says another ring than what it starts. */
export const findMisplaced = async (
  root: string,
  atLeast: Readonly<Record<Ring, number>>,
): Promise<string[]> => {
  const sources = await listSources(root)
  const uses = usedDeclarations(root, sources)
  const count: Record<Ring, number> = { first: 0, server: 0, process: 0, browser: 0 }
  const misplaced = sources
    .filter((path) => path.endsWith('.test.ts'))
    .flatMap((file) => {
      const { ring, path } = findRing(file, (one) => (isOfTests(one.target) ? uses(one) : []))
      count[ring] += 1
      return ring === ringOf(file) ? [] : [remedy(file, ring, path)]
    })
  const few = (Object.keys(count) as Ring[])
    .filter((ring) => count[ring] < atLeast[ring])
    .map((ring) => `only ${count[ring]} of ${atLeast[ring]} test files of ring “${ring}” were found`)
  return [...misplaced, ...few]
}

const remedy = (file: string, ring: Ring, path: readonly string[]): string => {
  const named = ringOf(file)
  const name = (file.split('/').at(-1) ?? '').replace(new RegExp(`(\\.${named})?\\.test\\.ts$`), '')
  if (ring === 'first') {
    const what = named === 'server' ? 'server of its own' : named
    return `${file} starts no ${what}: name it ${name}.test.ts`
  }
  if (ring === 'server') {
    const instead = named === 'first' ? ', or share one with startTestServer()' : ''
    return `${file} starts a server of its own (${path.join(' → ')}): name it ${name}.server.test.ts${instead}`
  }
  const instead = named === 'first' ? ', or do without' : ''
  return `${file} starts a ${ring} (${path.join(' → ')}): name it ${name}.${ring}.test.ts${instead}`
}

const keyOf = ({ target, name }: Import): string => `${target} ${name}`

/** What a test file starts, and by which declarations. */
const findRing = (
  file: string,
  usesOf: (declaration: Import) => readonly Import[],
): { readonly ring: Ring; readonly path: readonly string[] } => {
  const reached = new Map<string, readonly string[]>([[keyOf({ target: file, name: everything }), []]])
  const queue: Import[] = [{ target: file, name: everything }]
  let found: { readonly ring: Ring; readonly path: readonly string[] } = { ring: 'first', path: [] }
  for (const declaration of queue) {
    const path = reached.get(keyOf(declaration)) ?? []
    const [ring] =
      starts.find(
        ([, from, names]) => from === declaration.target && names.split(' ').includes(declaration.name),
      ) ?? []
    if (ring !== undefined && ranks.indexOf(ring) > ranks.indexOf(found.ring)) found = { ring, path }
    if (found.ring === 'browser') return found
    for (const used of usesOf(declaration)) {
      const key = keyOf(used)
      if (reached.has(key) || allowed.includes(key)) continue
      reached.set(key, [...path, key.trimEnd()])
      queue.push(used)
    }
  }
  return found
}
