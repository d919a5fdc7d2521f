import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { originOf } from '@millseal/proof'
import { type CheckpointAnswer, parseCheckpointRequest, refuse } from './add-checkpoint.ts'
import { type NodeKeys, openNodeKeys } from './cosigner.ts'
import type { NodeFiles } from './files.ts'
import { type FollowedLog, openFollowedLog } from './followed-log.ts'
import { openHttpLog } from './http-log.ts'
import type { ListedLog } from './log-list.ts'
import { createSourceLog } from './source-log.ts'

export type HeldLog = FollowedLog & {
  /** SHA-256 of its name, which begins its addresses here. */
  readonly id: string
  /** Where it comes from. */
  readonly url: string
}

/** Holds logs of others. */
export type LogNode = {
  readonly name: string
  readonly keys: NodeKeys
  readonly logs: readonly HeldLog[]
  /** The body of `POST add-checkpoint`. */
  addCheckpoint(body: string): Promise<CheckpointAnswer>
  /** Asks all logs from time to time, until the signal. */
  run(everyMs: number): Promise<void>
  /** Ends what runs. Nothing is lost without it. */
  close(): Promise<void>
}

export type NodeOptions = {
  readonly name: string
  readonly logs: readonly ListedLog[]
  readonly files: NodeFiles
  readonly now?: () => number
  readonly answerWithinMs?: number
  /** One line about what happened. */
  readonly note?: (line: string) => void
}

/** Shorter than a log waits for an answer. */
const usualAnswerWithinMs = 1_000

export const openNode = async ({
  name,
  logs,
  files,
  now = Date.now,
  answerWithinMs = usualAnswerWithinMs,
  note = () => {},
}: NodeOptions): Promise<LogNode> => {
  const stopping = new AbortController()
  const { signal } = stopping
  // What is ended by the end of the node is no problem.
  const unlessStopping = (line: string): void => {
    if (!signal.aborted) note(line)
  }
  const keys = await openNodeKeys(name, files)
  const open = async ({ key, url }: ListedLog): Promise<HeldLog> => {
    const id = hash('sha256', key.name)
    const source = createSourceLog(openHttpLog(url, { signal }))
    const own = { key, source, files: files.within(id), keys, now, answerWithinMs, note: unlessStopping }
    return Object.assign(await openFollowedLog(own), { id, url })
  }
  const held = await Promise.all(logs.map(open))
  const running: Promise<void>[] = []
  const poll = async (log: FollowedLog, everyMs: number): Promise<void> => {
    while (!signal.aborted) {
      await log.poll()
      await pause(everyMs, undefined, { signal }).catch(() => {})
    }
  }
  return {
    name,
    keys,
    logs: held,
    async addCheckpoint(body) {
      const request = parseCheckpointRequest(body)
      if (request === undefined)
        return refuse(400, 'Expected old <size>, a consistency proof, and a checkpoint')
      const origin = originOf(request.note)
      const log = held.find(({ key }) => key.name === origin)
      return log === undefined ? refuse(404, 'This node does not hold that log') : log.addCheckpoint(request)
    },
    async run(everyMs) {
      running.push(...held.map((log) => poll(log, everyMs)))
      await Promise.all(running)
    },
    async close() {
      stopping.abort()
      await Promise.all(running)
      await Promise.all(held.map((log) => log.close()))
    },
  }
}
