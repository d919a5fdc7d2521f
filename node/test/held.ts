import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignedTransaction } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { parseNoteKey } from '@millseal/proof'
import { didOfOwner, record } from '@millseal/proof/testing'
import { createFolderFiles, type NodeFiles } from '../src/files.ts'
import { type LogNode, openNode } from '../src/node.ts'
import { ownerOf } from './owners.ts'
import { operator, type Source } from './source.ts'

export const mill = ownerOf(1)
export const other = ownerOf(2)
export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
export const sha256 = (text: string): string => hash('sha256', text)

/** A transaction with its time, or the time of a state leaf. */
export type Line = readonly [SignedTransaction, string] | string

export const certificate = (number: number, asset: Readonly<Record<string, string>> = {}) =>
  record(mill, { jsonHash: sha256(`json ${number}`), pdfHash: sha256(`pdf ${number}`), ...asset })

export const correct = (owner: typeof mill, asset: Readonly<Record<string, string>>): SignedTransaction =>
  record(owner, { type: 'correction', reason: 'a reason', ...asset })

const who = { did: didOfOwner(mill), company: 'Rolling Mill', vatId: 'DE123456789' }

/** A mill that was reviewed, with one certificate. */
const honest: readonly Line[] = [
  [record(mill, { type: 'identity', publicKey: mill.publicKey, ...who }), at(1)],
  [record(operator, { type: 'review', ...who, reviewedAt: at(1), evidence: sha256('evidence') }), at(1)],
  [certificate(1), at(2)],
]

/** They are the same objects in every log, so that `startSource` writes each once. */
const known: Line[] = [...honest]

/** The first `count` entries of an honest log. */
export const lines = (count: number): readonly Line[] => {
  for (let number = known.length; number < count; number += 1)
    known.push([certificate(number - honest.length + 2), at(3)])
  return known.slice(0, count)
}

/** Flushing costs nothing there. */
const memory = '/dev/shm'
const generousMs = 600_000

export type Held = AsyncDisposable & {
  readonly folder: string
  readonly notes: string[]
  now: string
  /** As another process, after this one ended or was killed. */
  open(files?: (files: NodeFiles) => NodeFiles): Promise<LogNode>
}

/** A folder for nodes that hold these logs. */
export const holding = async (...sources: readonly Source[]): Promise<Held> => {
  const folder = await mkdtemp(join(existsSync(memory) ? memory : tmpdir(), 'millseal-node-'))
  const notes: string[] = []
  const state = { now: at(5) }
  return {
    folder,
    notes,
    get now() {
      return state.now
    },
    set now(now) {
      state.now = now
    },
    open: (wrap = (files) => files) =>
      openNode({
        name: 'inspection.example',
        logs: sources.map(({ vkey, url }) => ({ key: parseNoteKey(vkey, nodePrimitives), url })),
        files: wrap(createFolderFiles(folder)),
        now: () => Date.parse(state.now),
        answerWithinMs: generousMs,
        note: (line) => notes.push(line),
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

export const logOf = (node: LogNode, number = 0) => {
  const log = node.logs[number]
  if (log === undefined) throw new Error(`The node has no log ${number}`)
  return log
}
