import { type NoteKey, NoteRefused } from '@millseal/proof'
import { type CheckpointAnswer, type CheckpointRequest, refuse } from './add-checkpoint.ts'
import { createCopier } from './copier.ts'
import type { NodeKeys } from './cosigner.ts'
import type { NodeFiles } from './files.ts'
import { findFork } from './find-fork.ts'
import { createFollower, type Follower } from './follower.ts'
import { type LogMemory, type LogState, openLogMemory } from './log-memory.ts'
import { readSigned, type Signed } from './signed.ts'
import type { SourceLog } from './source-log.ts'
import { createStoredTiles } from './stored-tiles.ts'
import { createWitness, refuseStopped } from './witness.ts'

/** A log of others, as this node holds it. */
export type FollowedLog = {
  readonly key: NoteKey
  readonly state: LogState
  /** C2SP tlog-witness, for a checkpoint whose first line names this log. */
  addCheckpoint(request: CheckpointRequest): Promise<CheckpointAnswer>
  /** Asks the log for its newest checkpoint. Never rejects: `state` has the problem. */
  poll(): Promise<void>
  /** With the copy up to the published checkpoint. Undefined while it is being copied further. */
  read: Follower['read']
  /** A tile of the published checkpoint. */
  readTile(path: string): Promise<Uint8Array | undefined>
  /** Numbered from 1. */
  findEvidence(number: number): Promise<string | undefined>
  /** Waits for what is running. */
  close(): Promise<void>
}

type Options = {
  readonly key: NoteKey
  readonly source: SourceLog
  readonly files: NodeFiles
  readonly keys: NodeKeys
  readonly now: () => number
  /** How long an answer to `add-checkpoint` waits for the line of the node key. */
  readonly answerWithinMs: number
  readonly note: (line: string) => void
}

export const openFollowedLog = async (options: Options): Promise<FollowedLog> => {
  const { key, source } = options
  const { memory, follower, suspicion, witness, served } = await openParts(options)
  const ask = async (): Promise<void> => {
    const newest = readSigned(await source.readCheckpoint(), key)
    const oldSize = memory.state.seen?.size ?? 0
    if (newest.size < oldSize) return suspicion.raise(newest)
    const proof = await source.proveConsistency({ oldSize, newSize: newest.size })
    const refused = await witness.admit(newest, { oldSize, proof, note: newest.note })
    if (refused === undefined) await follower.judgeEarlier(newest)
  }
  return {
    key,
    get state() {
      return memory.state
    },
    async addCheckpoint(request) {
      const signed = readOrRefuse(request.note, key)
      if (signed === undefined) return refuse(403, `It is not signed with the key of ${key.name}`)
      const refused = await witness.admit(signed, request)
      if (refused !== undefined) return refused
      await within(options.answerWithinMs, Promise.all([follower.follow(), follower.judgeEarlier(signed)]))
      if (memory.state.stopped !== undefined) return refuseStopped(memory.state.stopped)
      const lines = [await witness.lineFor(signed), await follower.lineFor(signed)]
      return { status: 200, text: lines.map((line) => (line === undefined ? '' : `${line}\n`)).join('') }
    },
    async poll() {
      if (memory.state.stopped !== undefined) return
      await memory.trying(ask)
      if (memory.state.problem === undefined) await follower.follow()
      await suspicion.settled()
    },
    read: follower.read,
    readTile: async (path) => {
      const { published } = memory.state
      return published && (await served.readFile(path, published.size))
    },
    findEvidence: memory.findEvidence,
    async close() {
      await suspicion.settled()
      await follower.close()
    },
  }
}

const openParts = async (options: Options) => {
  const { source, files, keys, now } = options
  const memory = await openLogMemory(files, options)
  const copier = createCopier({
    files,
    source,
    published: () => memory.state.published,
    operator: () => (memory.state.published ?? memory.state.seen)?.operator,
  })
  const follower = createFollower({ memory, copier, nodeKey: keys.node, now })
  const suspicion = createSuspicion({ memory, follower, source })
  const witness = createWitness({ memory, witnessKey: keys.witness, suspect: suspicion.raise, now })
  // Without a memory of its own: what is copied changes beneath it.
  const served = createStoredTiles(files, { mostBundles: 0 })
  return { memory, follower, suspicion, witness, served }
}

/** Looks for the proof of a fork, for one checkpoint at a time: anybody can send what looks like one. */
const createSuspicion = ({
  memory,
  follower,
  source,
}: {
  readonly memory: LogMemory
  readonly follower: Follower
  readonly source: SourceLog
}) => {
  let running: Promise<void> | undefined
  return {
    raise(signed: Signed): void {
      const { seen, stopped } = memory.state
      if (seen === undefined || stopped !== undefined) return
      running ??= memory
        .trying(async () => {
          const fork = await follower.withCopy((copy) => findFork(signed, { seen, copy, source }))
          if (fork !== undefined) await memory.stop(fork)
        })
        .finally(() => {
          running = undefined
        })
    },
    settled: async (): Promise<void> => running,
  }
}

const readOrRefuse = (note: string, key: NoteKey): Signed | undefined => {
  try {
    return readSigned(note, key)
  } catch (error) {
    if (error instanceof NoteRefused) return undefined
    throw error
  }
}

/** Resolves when the work is done, or after that time: then it goes on. */
const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
