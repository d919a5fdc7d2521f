import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundled } from './bundled.ts'
import { eventually } from './eventually.ts'
import { nodeEnvironment } from './node-environment.ts'

export type LogLine = {
  readonly msg: string
  readonly process?: number
  readonly pid?: number
  readonly requestId?: string
  readonly reason?: string
}

export type SharedServer = AsyncDisposable & {
  readonly child: ChildProcess
  readonly lines: LogLine[]
  readonly errors: string[]
  readonly url: string
}

const main = join(import.meta.dirname, '../src/main.ts')

/** The server with two processes and the embedded database. */
export const startShared = async (
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<SharedServer> => {
  const child = spawn(process.execPath, ['--disable-proto=delete', await bundled(main)], {
    env: {
      ...nodeEnvironment(),
      MILLSEAL_PROCESSES: '2',
      MILLSEAL_PORT: '0',
      MILLSEAL_MQTT_PORT: '0',
      MILLSEAL_MQTTS_PORT: 'off',
      MILLSEAL_DATA_DIR: folder,
      MILLSEAL_KNOWN_CHECKPOINTS: join(folder, 'known'),
      MILLSEAL_RATE_LIMIT: '0',
      MILLSEAL_VIES: 'off',
      MILLSEAL_SAMPLES: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: LogLine[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line) as LogLine))
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  await eventually(() => child.exitCode !== null || isReady(lines, 2), { what: () => errors.join('\n') })
  const url = /API\s+(\S+)\/api$/m.exec(errors.join('\n'))?.[1] ?? assert.fail(errors.join('\n'))
  return {
    child,
    lines,
    errors,
    url: url.replace('localhost', '127.0.0.1'),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

export const isReady = (lines: readonly LogLine[], count: number): boolean =>
  lines.filter(({ msg }) => msg === 'a process is ready').length >= count

/** The newest process with this number. */
export const pidOf = ({ lines }: SharedServer, number: number): number =>
  lines.findLast(({ msg, process: one }) => msg === 'a process starts' && one === number)?.pid ?? 0
