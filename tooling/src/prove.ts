import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSharedPostgres } from '../../server/test/shared-postgres.ts'
import type { Summary } from './reporter.ts'

/** Everything that is proved about this server, each step a sentence. The same on a laptop and in CI. */
const root = join(import.meta.dirname, '../..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
const node = process.execPath
const workspaces = ['contract', 'proof', 'families', 'sdk', 'server', 'cli', 'tooling', 'bench']
const projects = globSync(['*/tsconfig*.json', 'server/src/**/tsconfig.json'], { cwd: root })

type Step = { readonly says: string; readonly commands: readonly (readonly string[])[] }

const steps: readonly Step[] = [
  { says: 'Every file is formatted', commands: [[bin('biome'), 'format']] },
  {
    says: 'The types hold in every workspace',
    commands: projects.map((project) => [bin('tsc'), '-p', project]),
  },
  { says: 'The linter finds nothing', commands: [[bin('oxlint'), '--type-aware', '--deny-warnings']] },
  {
    says: 'No code, export or package is unused',
    commands: [[node, join(root, 'node_modules/knip/bin/knip.js'), '--no-progress']],
  },
  {
    says: 'The committed API documents are what the contract says',
    commands: [[node, 'contract/emit/write.ts', '--check']],
  },
  {
    says: 'The OpenAPI document satisfies its linter',
    commands: [
      [
        node,
        join(root, 'node_modules/@redocly/cli/bin/cli.js'),
        'lint',
        'contract/openapi.json',
        '--config',
        'contract/redocly.yaml',
      ],
    ],
  },
]

type Outcome = { readonly ok: boolean; readonly output: string }

const run = (
  command: readonly string[],
  environment: Record<string, string> = {},
  live = false,
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const take = (chunk: Buffer) => {
      if (live) process.stdout.write(chunk)
      output += chunk.toString()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', reject)
    child.once('close', (code) => resolve({ ok: code === 0, output }))
  })

const timed = async (says: string, work: () => Promise<Outcome>): Promise<boolean> => {
  const startedMs = performance.now()
  const { ok, output } = await work()
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  process.stdout.write(`${ok ? '✓' : '✗'} ${says} (${seconds} s)\n`)
  if (!ok) process.stdout.write(`${output.trimEnd().replaceAll(/^/gm, '    ')}\n`)
  return ok
}

const proveStep = ({ says, commands }: Step): Promise<boolean> =>
  timed(says, async () => {
    const outcomes: Outcome[] = []
    for (const command of commands) outcomes.push(await run(command))
    return { ok: outcomes.every(({ ok }) => ok), output: outcomes.map(({ output }) => output).join('\n') }
  })

const runTests = async (patterns: readonly string[]): Promise<Summary> => {
  const folder = await mkdtemp(join(tmpdir(), 'millseal-test-'))
  const postgres = await startSharedPostgres()
  try {
    const files = globSync(
      patterns.length > 0 ? [...patterns] : workspaces.map((name) => `${name}/**/*.test.ts`),
      { cwd: root },
    )
    if (files.length === 0) throw new Error(`No test file matches ${patterns.join(' ')}`)
    const summaryFile = join(folder, 'summary.json')
    const outcome = await run(
      [
        node,
        '--test',
        '--test-timeout=120000',
        '--test-concurrency=2',
        '--test-reporter',
        './tooling/src/reporter.ts',
        '--test-reporter-destination=stdout',
        ...files,
      ],
      {
        MILLSEAL_TEST_SUMMARY: summaryFile,
        MILLSEAL_TEST_POSTGRES: postgres.connectionString,
        // Each file is a process of its own; without it each strips and compiles the whole server anew.
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      },
      true,
    )
    const summary: Summary = JSON.parse(await readFile(summaryFile, 'utf8'))
    return outcome.ok || summary.failed > 0 ? summary : { ...summary, failed: 1 }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const prove = async (patterns: readonly string[]): Promise<number> => {
  let passed = 0
  let failed = 0
  const skipped: string[] = []
  for (const step of patterns.length > 0 ? [] : steps) {
    if (await proveStep(step)) passed += 1
    else failed += 1
  }
  const startedMs = performance.now()
  process.stdout.write('… Every guarantee holds\n')
  const tests = await runTests(patterns)
  const mayNotSkip = process.env['CI'] === 'true' && process.getuid?.() === 0
  if (mayNotSkip && tests.skipped.length > 0) {
    process.stdout.write(`✗ On CI nothing may be skipped:\n    ${tests.skipped.join('\n    ')}\n`)
    failed += 1
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  process.stdout.write(
    `${tests.failed === 0 ? '✓' : '✗'} Every guarantee holds (${tests.passed} tests, ${seconds} s)\n\n`,
  )
  passed += tests.passed
  failed += tests.failed
  skipped.push(...tests.skipped)
  process.stdout.write(
    `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`,
  )
  return failed === 0 ? 0 : 1
}

process.exitCode = await prove(process.argv.slice(2))
