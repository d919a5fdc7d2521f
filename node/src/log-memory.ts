import type { NoteKey } from '@millseal/proof'
import { type Evidence, LogLied, reasonOf, writeEvidence } from './evidence.ts'
import type { NodeFiles } from './files.ts'
import { readSigned, type Signed } from './signed.ts'

/** A checkpoint as it is served: with the signature of the log, and with one of this node. */
export type Served = Signed & { readonly served: string }

export type LogState = {
  /** Why this log was stopped for ever. */
  readonly stopped: string | undefined
  /** Why the last attempt to follow it failed. */
  readonly problem: string | undefined
  /** The newest checkpoint that the witness key has signed. */
  readonly seen: Served | undefined
  /** The newest one whose entries were all copied and checked, signed with the node key. */
  readonly published: Served | undefined
}

/** What a node remembers of a log, besides its copy. Each change is on disk when it resolves. */
export type LogMemory = {
  readonly state: LogState
  setSeen(seen: Served): Promise<void>
  setPublished(published: Served): Promise<void>
  stop(evidence: Evidence): Promise<void>
  /** Numbered from 1. */
  findEvidence(number: number): Promise<string | undefined>
  /** Never rejects: the state has the problem, or says why the log was stopped. */
  trying(work: () => Promise<void>): Promise<void>
}

export const openLogMemory = async (
  files: NodeFiles,
  {
    key,
    now,
    note,
  }: { readonly key: NoteKey; readonly now: () => number; readonly note: (line: string) => void },
): Promise<LogMemory> => {
  let state = await readState(files, key)
  let isStopping = false
  const write = (name: string, text: string): Promise<void> =>
    files.write([{ name, bytes: Buffer.from(text) }])
  const fail = (error: unknown): void => {
    const problem = error instanceof Error ? error.message : String(error)
    if (problem !== state.problem) note(`${key.name}: ${problem}`)
    state = { ...state, problem }
  }
  const stop = async (found: Evidence): Promise<void> => {
    if (isStopping) return
    isStopping = true
    const text = writeEvidence(found, { key, foundAtMs: now() })
    // Without its evidence the log is stopped as well, until it is found again after the next start.
    await write('evidence/1', text).catch(fail)
    state = { ...state, stopped: found.reason }
    note(`${key.name}: STOPPED for ever: ${found.reason}`)
  }
  return {
    get state() {
      return state
    },
    async setSeen(seen) {
      await write('seen', seen.served)
      state = { ...state, seen }
    },
    async setPublished(published) {
      await write('checkpoint', published.served)
      state = { ...state, published }
    },
    stop,
    findEvidence: (number) => readText(files, `evidence/${number}`),
    async trying(work) {
      try {
        await work()
        state = { ...state, problem: undefined }
      } catch (error) {
        if (error instanceof LogLied) await stop(error.lie)
        else fail(error)
      }
    },
  }
}

const readState = async (files: NodeFiles, key: NoteKey): Promise<LogState> => {
  const readServed = async (name: string): Promise<Served | undefined> => {
    const served = await readText(files, name)
    return served === undefined ? undefined : { ...readSigned(served, key), served }
  }
  const evidence = await readText(files, 'evidence/1')
  const published = await readServed('checkpoint')
  return {
    stopped: evidence === undefined ? undefined : (reasonOf(evidence) ?? 'The evidence is damaged'),
    problem: undefined,
    seen: newerOf(await readServed('seen'), published),
    published,
  }
}

const readText = async (files: NodeFiles, name: string): Promise<string | undefined> => {
  const bytes = await files.read(name)
  return bytes && Buffer.from(bytes).toString()
}

const newerOf = (seen: Served | undefined, published: Served | undefined): Served | undefined =>
  seen === undefined || (published !== undefined && published.size > seen.size) ? published : seen
