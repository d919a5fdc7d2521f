import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startProcess, stopProcess } from './processes.ts'

export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** From the start of the process to the first good answer of /api/ready. */
  readonly readyMs: number
}

const program = join(import.meta.dirname, '../../server/src/main.ts')

/** The product as an operator starts it, with the embedded database, on a free port. Its log goes where nobody reads. */
export const startServer = async (
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> => {
  const startedAt = performance.now()
  const child = startProcess(program, {
    flags: ['--disable-proto=delete', '--max-semi-space-size=8'],
    environment: {
      MILLSEAL_PORT: '0',
      MILLSEAL_MQTT_PORT: '0',
      MILLSEAL_MQTTS_PORT: 'off',
      MILLSEAL_DATA_DIR: dataDir,
      MILLSEAL_RATE_LIMIT: '0',
      MILLSEAL_DRAIN_MS: '0',
      ...environment,
    },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  try {
    const url = await readUrl(child)
    const { status } = await fetch(`${url}/api/ready`)
    if (status !== 200) throw new Error(`/api/ready answers ${status}`)
    const readyMs = performance.now() - startedAt
    return { url, pid: child.pid, readyMs, [Symbol.asyncDispose]: () => stopProcess(child) }
  } catch (error) {
    await stopProcess(child)
    throw error
  }
}

/** By number: a name may stand for two addresses, and only one is listened on. */
const readUrl = async ({ stderr }: ChildProcess): Promise<string> => {
  if (stderr === null) throw new Error('The server cannot be heard')
  const lines: string[] = []
  for await (const line of createInterface({ input: stderr })) {
    lines.push(line)
    const url = /API\s+(\S+)\/api$/.exec(line)?.[1]
    if (url === undefined) continue
    stderr.resume()
    return url.replace('//localhost:', '//127.0.0.1:')
  }
  throw new Error(`The server did not start: ${lines.join('\n')}`)
}
