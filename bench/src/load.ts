import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cpuSecondsOf, startProcess, stopProcess } from './processes.ts'
import type { Timed } from './rounds.ts'

export type LoadOrder = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  /** Sent one after the other, again and again; empty for none. */
  readonly bodies: readonly string[]
  /** Requests a second over all connections; by default each connection sends as soon as it has its answer. */
  readonly perSecond?: number
  /** A header with another value in each request. */
  readonly uniqueHeader?: string
  readonly connections: number
  readonly warmUpMs: number
  readonly ms: number
}

export type LoadReport = Omit<Timed, 'cpuMicroseconds'> & {
  readonly statuses: Readonly<Record<string, number>>
  readonly cpuSeconds: number
}

const program = join(import.meta.dirname, 'load-process.ts')

/**
 * 50 connections from a process of its own, for a second and a half by default. Every answer must have the expected
 * status. Processor time includes the database and other processes of the server.
 */
export const load = async (
  pid: number,
  expectedStatus: number,
  order: Pick<LoadOrder, 'url'> & Partial<LoadOrder>,
): Promise<Timed> => {
  const usual = { method: 'GET', headers: {}, bodies: [], connections: 50, warmUpMs: 200, ms: 1_500 } as const
  const child = startProcess(program, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  if (child.stdout === null) throw new Error('The load process has no output')
  try {
    const before = cpuSecondsOf(pid)
    child.stdin?.end(JSON.stringify({ ...usual, ...order }))
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const used = cpuSecondsOf(pid) - before
    if (code !== 0) throw new Error('The load process failed')
    const { statuses, cpuSeconds: loadSeconds, ...times }: LoadReport = JSON.parse(output)
    const unexpected = Object.keys(statuses).find((status) => status !== String(expectedStatus))
    if (unexpected !== undefined)
      throw new Error(`${order.url} answered ${unexpected}, expected ${expectedStatus}`)
    const answers = statuses[expectedStatus] ?? 0
    if (answers === 0) throw new Error(`${order.url} answered nothing`)
    // If this process is the server, its ended children count as well.
    const ofServer = pid === process.pid ? used - loadSeconds : used
    return { ...times, cpuMicroseconds: (ofServer * 1_000_000) / answers }
  } finally {
    await stopProcess(child)
  }
}
