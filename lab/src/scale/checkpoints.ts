import { parseKeyFile } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { readContinuation, readSigned } from '../../../cli/src/log/continuation.ts'
import { openHttpLog } from '../../../node/src/http-log.ts'
import { startTicking, type Ticking } from './ticking.ts'

export type KeptCheckpoints = Ticking & { readonly notes: readonly string[] }

/** Keeps the checkpoint of the log from time to time, as a watcher of the log does. */
export const keepCheckpoints = (urls: readonly string[], everyMs: number): KeptCheckpoints => {
  const notes: string[] = []
  const keep = async (): Promise<void> => {
    const found = await Promise.any(urls.map((url) => openLog(url).readCheckpoint())).catch(() => undefined)
    if (found !== undefined) notes.push(found)
  }
  return { notes, ...startTicking(keep, everyMs) }
}

const openLog = (url: string) => openHttpLog(`${url}/ledger/test`, { deadlineMs: 10_000 })

/** The log proves that it only grew since each of the kept checkpoints; otherwise one sentence. */
export const checkGrowth = async (url: string, notes: readonly string[]): Promise<readonly string[]> => {
  const log = openLog(url)
  try {
    const key = parseKeyFile(await log.readKey(), nodePrimitives)
    await readContinuation(log, { known: notes.map((note) => readSigned(note, key)), key })
    return []
  } catch (error) {
    return [`The log does not continue a kept checkpoint: ${String(error)}`]
  }
}
