import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hostileSettings } from '../../../server/test/attacks/hostile-settings.ts'
import { nodeEnvironment } from '../../../server/test/node-environment.ts'
import { cpuSecondsOf } from '../processes.ts'
import { median } from '../rounds.ts'
import type { Bench } from '../row.ts'

const main = join(import.meta.dirname, '../../../server/src/main.ts')

type Ended = { readonly ms: number; readonly processorMs: number }

const run = async (args: readonly string[], environment: Record<string, string>): Promise<Ended> => {
  const startedMs = performance.now()
  const before = cpuSecondsOf(process.pid)
  const child = spawn(process.execPath, args, {
    env: { ...nodeEnvironment(), ...environment },
    stdio: 'ignore',
  })
  const [code]: unknown[] = await once(child, 'exit')
  if (code !== 2 && args.includes(main))
    throw new Error(`${JSON.stringify(environment)}: code ${String(code)}`)
  return { ms: performance.now() - startedMs, processorMs: (cpuSecondsOf(process.pid) - before) * 1_000 }
}

/** The server is started with one unusable value at a time, until it has said so and ended. */
export const measure = async ({ folder, report }: Bench): Promise<void> => {
  const server = ['--disable-warning=ExperimentalWarning', main]
  const refusals: (Ended & { name: string })[] = []
  for (const [name, value] of Object.entries(hostileSettings)) {
    const others = { MILLSEAL_DATA_DIR: folder, MILLSEAL_PKCS11_PIN: '1234' }
    refusals.push({ name, ...(await run(server, { ...others, [name]: value })) })
  }
  const empty: Ended[] = []
  for (let count = 0; count < 5; count += 1) empty.push(await run(['-e', '0'], {}))
  const slowest = refusals.toSorted((one, other) => other.ms - one.ms)[0]
  const costliest = refusals.toSorted((one, other) => other.processorMs - one.processorMs)[0]
  if (slowest === undefined || costliest === undefined) throw new Error('There are no settings')
  const label = `${refusals.length} unusable settings, each in a process: the slowest until it has ended`
  report.value(label, slowest.ms, 'ms', { goal: { atMost: 1_000 }, note: slowest.name })
  report.value('… the most processor time', costliest.processorMs, 'ms', {
    goal: { atMost: 1_000 },
    note: `median ${median(refusals.map(({ processorMs }) => processorMs)).toFixed(0)} ms`,
  })
  report.value('node -e 0, for comparison', median(empty.map(({ ms }) => ms)), 'ms', { note: 'median of 5' })
}
