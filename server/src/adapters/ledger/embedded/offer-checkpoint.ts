import type { Mode } from '@millseal/contract'
import { checkpointIn, collectCosignatures, type Cosignature, type Hash, splitNote } from '@millseal/proof'
import { nodePrimitives } from '@millseal/proof/node'
import type { Cosigner } from '../../../ports/cosigner/cosigner.ts'
import { proveExtension } from './extension.ts'
import { LogForked } from './ledger-damaged.ts'
import type { TileFolder } from './tile-folder.ts'

/** What an exchange with one cosigner ends with; it may take several requests. */
export type Offered =
  | { readonly kind: 'cosigned'; readonly size: number; readonly cosignature: Cosignature }
  /** It already has more entries, which are on disk too: somebody else showed it a newer checkpoint. */
  | { readonly kind: 'ahead'; readonly size: number }
  | { readonly kind: 'unavailable'; readonly why: string }

/** A cosigner that others keep up to date may have grown between the requests. */
const maxRequests = 4

/**
 * Offers a checkpoint to a cosigner that is thought to have `oldSize` entries. Throws `LogForked` if the cosigner has
 * entries that this log does not have. Writes nothing.
 */
export const offerCheckpoint = async (
  offered: CheckpointToOffer,
  {
    cosigner,
    oldSize,
    signal,
  }: { readonly cosigner: Cosigner; readonly oldSize: number; readonly signal: AbortSignal },
): Promise<Offered> => {
  const { mode, folder, note, proofs = new Map() } = offered
  const { size } = checkpointIn(note)
  let old = Math.min(oldSize, size)
  for (let request = 0; request < maxRequests; request += 1) {
    const proof = proofs.get(old) ?? proveExtension(folder, { oldSize: old, newSize: size })
    proofs.set(old, proof)
    const answer = await cosigner.addCheckpoint({ oldSize: old, size, proof: await proof, note }, signal)
    if (answer.kind === 'unavailable') return answer
    if (answer.kind === 'contradicts') throw forked(mode, cosigner, answer.why)
    if (answer.kind === 'cosigned') return verified({ note, size }, { cosigner, lines: answer.lines })
    if (answer.size > size) return await ahead(offered, { cosigner, size: answer.size })
    old = answer.size
  }
  return { kind: 'unavailable', why: 'its number of entries changed with each request' }
}

export type CheckpointToOffer = {
  readonly mode: Mode
  readonly folder: TileFolder
  readonly note: string
  /** By old size, for all cosigners that the checkpoint is offered to. */
  readonly proofs?: Map<number, Promise<readonly Hash[]>>
}

const verified = (
  { note, size }: { readonly note: string; readonly size: number },
  { cosigner, lines }: { readonly cosigner: Cosigner; readonly lines: readonly string[] },
): Offered => {
  const { text } = splitNote(note)
  const [cosignature] = collectCosignatures({ text, lines }, [cosigner.key], nodePrimitives)
  return cosignature === undefined
    ? { kind: 'unavailable', why: `its answer has no valid cosignature of the key ${cosigner.key.name}` }
    : { kind: 'cosigned', size, cosignature }
}

/** The cosigner may know a checkpoint that was published after the one it was offered, but none that was not. */
const ahead = async (
  { mode, folder }: CheckpointToOffer,
  { cosigner, size }: { readonly cosigner: Cosigner; readonly size: number },
): Promise<Offered> => {
  const note = await folder.readCheckpoint()
  const onDisk = note === undefined ? 0 : checkpointIn(note).size
  if (size > onDisk) throw forked(mode, cosigner, `it has ${size} entries, but the log on disk has ${onDisk}`)
  return { kind: 'ahead', size }
}

const forked = (mode: Mode, { name, key }: Cosigner, why: string): LogForked =>
  new LogForked(
    `The cosigner ${name} has seen another ${mode} log: ${why}. Nothing is appended. Restore a newer copy, or let the log continue under a new name: millseal log continue-as-new --mode ${mode}`,
    key,
  )
