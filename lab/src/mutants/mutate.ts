// Mutation testing of the guarded modules: plants one small fault at a time and runs the tests of the module. A fault
// that no test detects is a gap in the tests. Too slow for script/test; run script/mutate.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSharedPostgres } from '../../../server/test/shared-postgres.ts'
import { copyTree } from '../checkouts/copy-tree.ts'
import { type Lane, type MutantRun, type Outcome, runTests } from './mutant-run.ts'
import { type Mutation, mutationsOf } from './mutations.ts'

type Guarded = {
  readonly module: string
  readonly tests: readonly string[]
  /** Leaves out a test that takes minutes, by its name. */
  readonly skip?: string
}
type Chosen = Guarded & { readonly mutations: readonly Mutation[] }
type Verdict = { readonly module: string; readonly mutation: Mutation; readonly survived: boolean }

const root = join(import.meta.dirname, '../../..')
const wantedPercent = 85
const lanes = 2
/** A fault can cause an endless wait. Tests that are silent for this much longer than without it have detected it. */
const patience = 4
const patienceMs = 8_000

const guarded = JSON.parse(readFileSync(join(root, 'lab/mutated.json'), 'utf8')) as readonly Guarded[]

const outcomes = new Map<string, Outcome>()

/** Runs each list of tests once, however many modules share it. */
const withoutFault = async (run: MutantRun): Promise<Outcome> => {
  const key = run.tests.join()
  const outcome = outcomes.get(key) ?? (await runTests(run))
  outcomes.set(key, outcome)
  return outcome
}

/** Undefined where there is nothing to compare with. */
const mutate = async (
  lane: Lane,
  { module, tests, skip, mutations }: Chosen,
): Promise<Verdict[] | undefined> => {
  const path = join(lane.folder, module)
  const text = readFileSync(path, 'utf8')
  const unharmed = await withoutFault({ ...lane, tests, skip, silentMs: 120_000 })
  if (!unharmed.passed) {
    process.stdout.write(`not measured: ${module}: ${tests.join(', ')} fails without any fault\n`)
    return undefined
  }
  const silentMs = unharmed.longestSilenceMs * patience + patienceMs
  const verdicts: Verdict[] = []
  for (const mutation of mutations) {
    writeFileSync(path, text.slice(0, mutation.start) + mutation.replacement + text.slice(mutation.end))
    const { passed: survived } = await runTests({ ...lane, tests, skip, silentMs })
    verdicts.push({ module, mutation, survived })
    if (survived) process.stdout.write(`survived: ${module}:${mutation.line}: ${mutation.says}\n`)
  }
  writeFileSync(path, text)
  tell(module, verdicts)
  return verdicts
}

const percentOf = (verdicts: readonly Verdict[]): number =>
  verdicts.length === 0 ? 100 : (verdicts.filter(({ survived }) => !survived).length / verdicts.length) * 100

const tell = (what: string, verdicts: readonly Verdict[]): void => {
  const noticed = verdicts.filter(({ survived }) => !survived).length
  process.stdout.write(
    `${percentOf(verdicts).toFixed(0)} % ${what}: ${noticed} of ${verdicts.length} noticed\n`,
  )
}

type Wanted = { readonly parts: readonly string[]; readonly every: number }

/** The modules whose path has one of the parts, all without parts; of their faults the first and each `every`-th after it. */
const choose = ({ parts, every }: Wanted): readonly Chosen[] => {
  let count = 0
  return guarded
    .filter(({ module }) => parts.length === 0 || parts.some((part) => module.includes(part)))
    .map((one) => ({
      ...one,
      mutations: mutationsOf(one.module, readFileSync(join(root, one.module), 'utf8')).filter(
        () => count++ % every === 0,
      ),
    }))
    .filter(({ mutations }) => mutations.length > 0)
}

const mutateAll = async (wanted: Wanted): Promise<number> => {
  await using opened = new AsyncDisposableStack()
  const chosen = choose(wanted)
  if (chosen.length === 0)
    throw new Error(`No module of lab/mutated.json has ${wanted.parts.join(' or ')} in it`)
  const home = await mkdtemp(join(tmpdir(), 'millseal-mutate-'))
  opened.defer(() => rm(home, { recursive: true, force: true }))
  const postgres = opened.use(await startSharedPostgres())
  const todo = chosen[Symbol.iterator]()
  let unmeasured = 0
  const work = async (lane: number): Promise<Verdict[]> => {
    const folder = join(home, String(lane))
    await copyTree(root, folder)
    const verdicts: Verdict[] = []
    for (const one of todo) {
      const found = await mutate({ folder, temporaryFolder: `${folder}-temporary`, postgres }, one)
      if (found === undefined) unmeasured += 1
      else verdicts.push(...found)
    }
    return verdicts
  }
  const verdicts = (await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)))).flat()
  tell('in all', verdicts)
  return unmeasured === 0 && percentOf(verdicts) >= wantedPercent ? 0 : 1
}

const { values, positionals } = parseArgs({
  options: { every: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const every = Number(values.every)
if (!Number.isInteger(every) || every < 1) throw new Error('--every needs a whole number from 1')
process.exitCode = await mutateAll({ parts: positionals, every })
