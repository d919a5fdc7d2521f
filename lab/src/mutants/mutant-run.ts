import { spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SharedPostgres } from '../../../server/test/shared-postgres.ts'

export type Lane = {
  /** The checkout that has the fault. */
  readonly folder: string
  readonly temporaryFolder: string
  readonly postgres: SharedPostgres
}

export type MutantRun = Lane & {
  readonly tests: readonly string[]
  readonly skip?: string | undefined
  /** Runs only the tests of a single file with this in their name. */
  readonly only?: string | undefined
  /** A fault can make a loop or a wait endless; this long without a test that passes counts as noticed. */
  readonly silentMs: number
}

export type Outcome = {
  /** At least one test ran, and none failed. */
  readonly passed: boolean
  /** The longest time without a test that passed. */
  readonly longestSilenceMs: number
}

/** Runs the tests until the first failure, and removes what a test process that was stopped leaves. */
export const runTests = async (run: MutantRun): Promise<Outcome> => {
  await mkdir(run.temporaryFolder, { recursive: true })
  const { processId, ...outcome } = await spawnTests(run)
  await run.postgres.dropDatabasesOf(processId)
  await rm(run.temporaryFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  return outcome
}

const spawnTests = ({
  folder,
  temporaryFolder,
  postgres,
  tests,
  skip,
  only,
  silentMs,
}: MutantRun): Promise<Outcome & { readonly processId: number }> =>
  new Promise((resolve, reject) => {
    const args = [
      '--test-reporter',
      join(import.meta.dirname, 'first-failure.ts'),
      '--test-reporter-destination=stdout',
      ...(skip === undefined ? [] : [`--test-skip-pattern=${skip}`]),
      ...(only === undefined
        ? [join(import.meta.dirname, 'mutant-tests.ts')]
        : [`--test-name-pattern=${only.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}`]),
      ...tests,
    ]
    const env = {
      ...process.env,
      MILLSEAL_TEST_POSTGRES: postgres.connectionString,
      NODE_COMPILE_CACHE: `${folder}-compiled`,
      TMPDIR: temporaryFolder,
    }
    // A process group of its own: what a test has started ends with it.
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const processId = child.pid ?? 0
    let longestSilenceMs = 0
    let hasPassedOne = false
    let lastMs = performance.now()
    const measureSilence = (): void => {
      longestSilenceMs = Math.max(longestSilenceMs, performance.now() - lastMs)
      lastMs = performance.now()
    }
    let timer = setTimeout(endGroup, silentMs, processId)
    child.stdout.on('data', () => {
      hasPassedOne = true
      measureSilence()
      clearTimeout(timer)
      timer = setTimeout(endGroup, silentMs, processId)
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      measureSilence()
      endGroup(processId)
      resolve({ passed: code === 0 && hasPassedOne, longestSilenceMs, processId })
    })
  })

const endGroup = (processId: number): void => {
  try {
    process.kill(-processId, 'SIGKILL')
  } catch (error) {
    // Nothing of the group is left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
