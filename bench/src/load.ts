import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { cpuSecondsOf, startProcess, stopProcess } from './processes.ts'

export type LoadOrder = {
  readonly url: string
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** In place of `body`: one after the other. */
  readonly bodies?: readonly string[]
  /** So many requests a second by all connections together; otherwise each sends as soon as it has its answer. */
  readonly perSecond?: number
  /** A header with another value in each request. */
  readonly uniqueHeader?: string
  readonly connections: number
  readonly warmUpMs: number
  readonly ms: number
}

export type LoadReport = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly statuses: Readonly<Record<string, number>>
}

export type Load = LoadReport & {
  /** Processor time the server spent on each answer: other work on the machine hardly changes it. */
  readonly cpuMicroseconds: number
}

const program = join(import.meta.dirname, 'load-process.ts')

/** 50 connections for a second and a half unless told otherwise; every answer must have the expected status. */
export const load = async (
  server: { readonly pid: number },
  expectedStatus: number,
  order: Pick<LoadOrder, 'url'> & Partial<LoadOrder>,
): Promise<Load> => {
  const whole: LoadOrder = { connections: 50, warmUpMs: 200, ms: 1_500, ...order }
  const child = startProcess(program, { args: [JSON.stringify(whole)], stdout: 'pipe', stderr: 'inherit' })
  if (child.stdout === null) throw new Error('The load process cannot be heard')
  try {
    const before = cpuSecondsOf(server.pid)
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const after = cpuSecondsOf(server.pid)
    if (code !== 0) throw new Error('The load process failed')
    const report: LoadReport = JSON.parse(output)
    const unexpected = Object.keys(report.statuses).find((status) => status !== String(expectedStatus))
    if (unexpected !== undefined)
      throw new Error(`${whole.url} answered ${unexpected}, not ${expectedStatus}`)
    const answers = report.statuses[expectedStatus] ?? 0
    if (answers === 0) throw new Error(`${whole.url} answered nothing`)
    const cpuSeconds = before === undefined || after === undefined ? Number.NaN : after - before
    return { ...report, cpuMicroseconds: (cpuSeconds * 1_000_000) / answers }
  } finally {
    await stopProcess(child)
  }
}
