import {
  checkpointIn,
  collectCosignatures,
  isQuorum,
  type NoteKey,
  splitNote,
  type TlogPolicy,
} from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import { type CosignedFile, cosignedFiles, readCosigned, writeCosigned } from './cosigned-file.ts'
import type { Round } from './cosigner-worker.ts'
import type { CosigningOptions } from './log-cosigners.ts'
import type { OwnTileFolder } from './tile-folder.ts'

export type KeptCheckpoints = AsyncDisposable & {
  /** Takes a round that has another line. `isAsked`: whether others may still sign it. */
  take(round: Round, asked: { readonly isAsked: boolean }): void
}

/** Stores the newest checkpoint that a quorum has cosigned, with what it confirms, and the newest that fewer have. */
export const keepCosigned = (
  options: CosigningOptions,
  folder: OwnTileFolder,
  key: NoteKey,
): KeptCheckpoints => {
  const { policy, cosigners, clock, confirmations } = options
  const keep = async (
    name: CosignedFile,
    { note, round }: { readonly note: string; readonly round: Round },
  ) => {
    await writeCosigned(folder.files, name, note)
    const { size } = checkpointIn(note)
    const by = cosigners.flatMap((one) => (round.lines.has(one) ? one.key.name : []))
    const { confirmedAt } = round
    if (confirmedAt !== undefined) await confirmations.record({ size, at: confirmedAt, by })
    await confirmations.recordHeld({ size, at: new Date(clock.now()), by })
  }
  const confirmed = createKept(options, (note, round) => keep(cosignedFiles.byQuorum, { note, round }))
  const partly = createKept(options, (note, round) => keep(cosignedFiles.byFewer, { note, round }))
  const restoring = restoreConfirmed(options, folder, key)
  return {
    take(round, { isAsked }) {
      if (hasQuorum(policy, round)) {
        round.confirmedAt ??= new Date(clock.now())
        confirmed.offer(round)
      } else if (round.lines.size > 0 && !isAsked) {
        partly.offer(round)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([restoring, ...[confirmed, partly].map((part) => part[Symbol.asyncDispose]())])
    },
  }
}

export const hasQuorum = (policy: TlogPolicy, { lines }: Round): boolean =>
  isQuorum(
    policy,
    [...lines.keys()].map(({ key }) => key),
  )

/** A process that was killed may have stored the checkpoint and not what it confirms; the release before did not store that. */
const restoreConfirmed = async (
  { mode, cosigners, clock, confirmations, log }: CosigningOptions,
  { files }: OwnTileFolder,
  { name }: NoteKey,
): Promise<void> => {
  try {
    const note = await readCosigned(files, name)
    if (note === undefined) return
    const keys = cosigners.map(({ key }) => key)
    const by = collectCosignatures(splitNote(note), keys, nodePrimitives).map(({ key }) => key.name)
    await confirmations.record({ size: checkpointIn(note).size, at: new Date(clock.now()), by })
  } catch (error) {
    log.warn({ err: error, mode }, 'what an earlier process has confirmed was not read')
  }
}

/** Keeps the newest checkpoint that it is offered. A line that arrives later is added to it. */
const createKept = (
  { mode, cosigners, log }: CosigningOptions,
  keep: (note: string, round: Round) => Promise<void>,
) => {
  let newest: Round | undefined
  let wanted: Round | undefined
  let writing = Promise.resolve()
  const earlier = new WeakSet<Round>()

  const write = async (): Promise<void> => {
    const round = wanted
    wanted = undefined
    if (round === undefined) return
    const lines = cosigners.flatMap((cosigner) => round.lines.get(cosigner) ?? [])
    await keep(`${round.note}${lines.map((line) => `${line}\n`).join('')}`, round).catch((error: unknown) =>
      log.warn({ err: error, mode }, 'a cosigned checkpoint was not stored'),
    )
  }
  return {
    offer(round: Round): void {
      if (earlier.has(round)) return
      if (newest !== undefined && newest !== round) earlier.add(newest)
      newest = round
      wanted = round
      writing = writing.then(write)
    },
    [Symbol.asyncDispose]: () => writing,
  }
}
