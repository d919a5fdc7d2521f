// Mutation testing of the security modules: plants one small fault at a time and runs the tests of the module. A fault
// that no test detects is a gap in the tests. Too slow for script/test; run script/mutate.
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSharedPostgres } from '../../server/test/shared-postgres.ts'
import { type Mutation, mutationsOf } from './mutations.ts'

type Guarded = { readonly module: string; readonly tests: readonly string[] }
type Verdict = { readonly module: string; readonly mutation: Mutation; readonly survived: boolean }

const root = join(import.meta.dirname, '../..')
const wantedPercent = 85
const lanes = 2
/** A fault can cause an endless loop. A test that takes this much longer than without the fault has detected it. */
const patience = 4
const patienceMs = 15_000

const guarded = JSON.parse(readFileSync(join(root, 'tooling/mutated.json'), 'utf8')) as readonly Guarded[]

/** Copies the checkout, so that faults do not affect it. Packages are linked; our own workspaces are those of the copy. */
const copyTree = async (folder: string): Promise<void> => {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: root, maxBuffer: 64 * 1_024 * 1_024 },
  )
  for (const path of stdout.split('\0')) {
    if (path === '' || !existsSync(join(root, path))) continue
    cpSync(join(root, path), join(folder, path), { recursive: true, force: true })
  }
  mkdirSync(join(folder, 'node_modules/@millseal'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@millseal')
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const name of readdirSync(join(root, 'node_modules/@millseal'))) {
    symlinkSync(join(folder, name), join(folder, 'node_modules/@millseal', name))
  }
}

type Run = { readonly folder: string; readonly tests: readonly string[]; readonly withinMs: number }

const holds = ({ folder, tests, withinMs }: Run, environment: Record<string, string>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const args = ['--test', '--test-timeout=60000', '--test-reporter=dot', ...tests]
    const env = { ...process.env, ...environment }
    // Its own process group, to end the processes that a test started as well.
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: 'ignore', detached: true })
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(end, withinMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })

type Lane = { readonly folder: string; readonly environment: Record<string, string> }

/** Returns undefined if the tests fail without any fault. */
const mutate = async (
  { folder, environment }: Lane,
  { module, tests }: Guarded,
): Promise<Verdict[] | undefined> => {
  const path = join(folder, module)
  const text = readFileSync(path, 'utf8')
  const startedMs = performance.now()
  const run = { folder, tests, withinMs: 120_000 }
  if (!(await holds(run, environment))) {
    process.stdout.write(`not measured: ${module}: ${tests.join(', ')} fails without any fault\n`)
    return undefined
  }
  const withinMs = (performance.now() - startedMs) * patience + patienceMs
  const verdicts: Verdict[] = []
  for (const mutation of mutationsOf(module, text)) {
    writeFileSync(path, text.slice(0, mutation.start) + mutation.replacement + text.slice(mutation.end))
    const survived = await holds({ ...run, withinMs }, environment)
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
    `${percentOf(verdicts).toFixed(0)} % ${what}: ${noticed} of ${verdicts.length} detected\n`,
  )
}

/** Measures all modules, or those whose path contains one of these parts. */
const mutateAll = async (parts: readonly string[]): Promise<number> => {
  await using opened = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'millseal-mutate-'))
  opened.defer(() => rm(home, { recursive: true, force: true }))
  const postgres = opened.use(await startSharedPostgres())
  const wanted = guarded.filter(
    ({ module }) => parts.length === 0 || parts.some((part) => module.includes(part)),
  )
  if (wanted.length === 0)
    throw new Error(`tooling/mutated.json has no module whose path contains ${parts.join(' or ')}`)
  const todo = wanted[Symbol.iterator]()
  let unmeasured = 0
  const work = async (lane: number): Promise<Verdict[]> => {
    const folder = join(home, String(lane))
    await copyTree(folder)
    const environment = {
      MILLSEAL_TEST_POSTGRES: postgres.connectionString,
      NODE_COMPILE_CACHE: join(home, `compiled-${lane}`),
    }
    const verdicts: Verdict[] = []
    for (const one of todo) {
      const found = await mutate({ folder, environment }, one)
      if (found === undefined) unmeasured += 1
      else verdicts.push(...found)
    }
    return verdicts
  }
  const verdicts = (await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)))).flat()
  tell('in all', verdicts)
  return unmeasured === 0 && percentOf(verdicts) >= wantedPercent ? 0 : 1
}

process.exitCode = await mutateAll(process.argv.slice(2))
