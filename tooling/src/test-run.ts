import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { killTree } from './process-tree.ts'
import type { FileReport } from './reporter.ts'
import { ringOf } from './rings.ts'
import type { Order } from './test-worker.ts'

export type Summary = {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
  /** What failed beside others and passed alone. */
  readonly unstable: readonly FailedFile[]
  /** What failed, and again when it was repeated. */
  readonly broken: readonly FailedFile[]
  /** Milliseconds by file. */
  readonly durations: Readonly<Record<string, number>>
}

export type FailedFile = { readonly file: string; readonly tests: readonly string[] }

export type TestRun = {
  readonly root: string
  readonly files: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Processes at a time. Default: three for each processor, because a test that waits for a database or a process uses none. */
  readonly processes?: number
  /** Files with a browser at a time. Default: one for each processor. */
  readonly browsers?: number
  /** A process runs this many files, so that they share imports and compiled code; then a new one takes over. */
  readonly filesPerProcess?: number
  /** After this time a file is stopped, with everything it started. Not a measure of speed: only a hang takes so long. */
  readonly endMs?: number
  /** More failed files than this are no accident, and are not repeated. */
  readonly maxRepeated?: number
  /** Once it is aborted, no further file starts. */
  readonly signal?: AbortSignal
  /** Begins when a file does, with its process, and is disposed when the file has ended. Not when a file is repeated. */
  readonly beside?: (file: string, child: ChildProcess) => AsyncDisposable
  readonly print?: (text: string) => void
}

type Settings = Required<TestRun>
type Worker = {
  readonly child: ChildProcess
  ranFiles: number
  failed: number
}

/** How a file runs. */
type Kind = {
  /** It changes the process it runs in: its environment, its signals, its memory. */
  readonly alone: boolean
  /** A browser keeps a processor busy, so that more of them than processors only wait for each other. */
  readonly browser: boolean
}

const kindOf = (root: string, file: string): Kind => {
  const text = readFileSync(join(root, file), 'utf8')
  return { alone: /^\/\/ Runs alone: /m.test(text), browser: ringOf(file) === 'browser' }
}

const alive = new Set<Worker>()

/** Kills all test processes of this process and what they started. */
export const killWorkers = (): void => {
  for (const { child } of alive) if (child.pid !== undefined) killTree(child.pid)
}

/** Runs test files, in the given order, in a few processes. */
export const runTestFiles = async (run: TestRun): Promise<Summary> => {
  const settings: Settings = {
    environment: {},
    processes: 3 * availableParallelism(),
    browsers: availableParallelism(),
    filesPerProcess: 30,
    endMs: 900_000,
    maxRepeated: 5,
    signal: new AbortController().signal,
    beside: () => new AsyncDisposableStack(),
    print: (text) => void process.stdout.write(text),
    ...run,
  }
  const queue = run.files.map((file) => ({ file, ...kindOf(run.root, file) }))
  let browsers = 0
  /** A browser only while a processor is left for it; a process that finds nothing else ends. */
  const next = () => {
    if (settings.signal.aborted) return undefined
    const at = queue.findIndex(({ browser }) => !browser || browsers < settings.browsers)
    return at === -1 ? undefined : queue.splice(at, 1)[0]
  }
  const reports: FileReport[] = []
  const durations: Record<string, number> = {}
  const lane = async (): Promise<void> => {
    let worker: Worker | undefined
    for (let taken = next(); taken !== undefined; taken = next()) {
      const { file, alone, browser } = taken
      if (browser) browsers += 1
      if (worker !== undefined && (alone || worker.ranFiles >= settings.filesPerProcess)) {
        reports.push(await endWorker(worker, settings))
        worker = undefined
      }
      const startedMs = performance.now()
      worker ??= await startWorker(settings)
      reports.push(await runBeside(worker, file, settings))
      durations[file] = Math.round(performance.now() - startedMs)
      if (browser) browsers -= 1
      if (alone || hasEnded(worker)) {
        reports.push(await endWorker(worker, settings))
        worker = undefined
      }
    }
    if (worker !== undefined) reports.push(await endWorker(worker, settings))
  }
  await Promise.all(Array.from({ length: settings.processes }, lane))
  const unstable = await repeatFailed(reports, settings)
  return {
    unstable,
    broken: reports.filter(isFailedFile).map(({ file, failures }) => ({ file, tests: failures })),
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: reports.reduce((sum, { failed }) => sum + failed, 0),
    skipped: reports.flatMap(({ skipped }) => skipped),
    durations,
  }
}

const isFailedFile = ({ file, failed }: FileReport): boolean => file !== '' && failed > 0

/** Runs each file that failed once more, with nothing beside it. If it passes, that replaces what failed. */
const repeatFailed = async (reports: FileReport[], settings: Settings): Promise<FailedFile[]> => {
  const failed = reports.filter(isFailedFile)
  const files = new Set(failed.map(({ file }) => file))
  if (files.size > settings.maxRepeated) return []
  const unstable: FailedFile[] = []
  for (const file of files) {
    settings.print(`  … once more, alone: ${file}\n`)
    const worker = await startWorker(settings)
    const second = await runFile(worker, file, settings)
    const end = await endWorker(worker, settings)
    if (second.failed > 0 || end.failed > 0) continue
    for (const first of failed.filter((report) => report.file === file)) {
      reports[reports.indexOf(first)] = second
      unstable.push({ file, tests: first.failures })
    }
  }
  return unstable
}

const hasEnded = ({ child }: Worker): boolean => child.exitCode !== null || child.signalCode !== null

const startWorker = async ({ root, environment, print }: Settings): Promise<Worker> => {
  const child = spawn(
    process.execPath,
    [
      '--test-reporter',
      join(import.meta.dirname, 'reporter.ts'),
      '--test-reporter-destination=stdout',
      join(import.meta.dirname, 'test-worker.ts'),
    ],
    {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  child.stdout?.on('data', (text: Buffer) => print(text.toString()))
  child.stderr?.on('data', (text: Buffer) => print(text.toString()))
  const worker = { child, ranFiles: 0, failed: 0 }
  alive.add(worker)
  child.once('exit', () => alive.delete(worker))
  await Promise.race([once(child, 'message'), once(child, 'exit')])
  return worker
}

const nothing = { passed: 0, failed: 0, skipped: [], failures: [] } as const

const runBeside = async (worker: Worker, file: string, settings: Settings): Promise<FileReport> => {
  await using _beside = settings.beside(file, worker.child)
  return await runFile(worker, file, settings)
}

const runFile = async (worker: Worker, file: string, { endMs, print }: Settings): Promise<FileReport> => {
  worker.ranFiles += 1
  const report = await reportOf(worker, file, endMs)
  if (typeof report !== 'string') {
    worker.failed += report.failed
    return report
  }
  print(`  ✗ ${file} ${report}\n`)
  worker.failed += 1
  return { file, ...nothing, failed: 1, failures: [`${file} ${report}`] }
}

/** A sentence if the process ends before the file does. */
const reportOf = ({ child }: Worker, file: string, endMs: number): Promise<FileReport | string> =>
  new Promise((resolve) => {
    let ending = ''
    const end = setTimeout(() => {
      ending = `did not end within ${endMs / 1_000} seconds: killed`
      if (child.pid !== undefined) killTree(child.pid)
    }, endMs)
    const finish = (result: FileReport | string): void => {
      clearTimeout(end)
      child.off('message', finish)
      child.off('exit', onExit)
      resolve(result)
    }
    const onExit = (code: number | null, signal: string | null): void =>
      finish(ending || `ended its process early (${signal ?? `exit code ${code}`})`)
    child.on('message', finish)
    child.once('exit', onExit)
    if (child.connected) child.send({ file } satisfies Order)
    else onExit(child.exitCode, child.signalCode)
  })

/** The process must end by itself: something that a test left open would keep it alive. */
const endWorker = async (worker: Worker, { endMs, print }: Settings): Promise<FileReport> => {
  const { child } = worker
  let hung = false
  if (!hasEnded(worker)) {
    const exit = once(child, 'exit')
    const end = setTimeout(() => {
      hung = true
      if (child.pid !== undefined) killTree(child.pid)
    }, endMs)
    if (child.connected) child.disconnect()
    await exit
    clearTimeout(end)
  }
  if (hung) print('  ✗ A test process did not end after its last file: a test left something open\n')
  else if (child.exitCode !== 0 && worker.failed === 0) print('  ✗ A test process failed after its tests\n')
  else return { file: '', ...nothing }
  return { file: '', ...nothing, failed: 1 }
}
