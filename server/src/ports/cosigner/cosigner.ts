import type { CosignerKey, Hash } from '@millseal/proof'

export type OfferedCheckpoint = {
  /** How many entries the cosigner is thought to have; 0 if nobody knows. Never more than the checkpoint has. */
  readonly oldSize: number
  /** That the checkpoint extends the one of `oldSize` entries. */
  readonly proof: readonly Hash[]
  /** Of how many entries. */
  readonly size: number
  /** The signed checkpoint. */
  readonly note: string
}

export type CosignerAnswer =
  /** It has stored the checkpoint and signed it. The lines are not verified. */
  | { readonly kind: 'cosigned'; readonly lines: readonly string[] }
  /** It changed nothing, because it has this many entries and not `oldSize`. */
  | { readonly kind: 'has'; readonly size: number }
  /** It has seen other entries of this log: two checkpoints that cannot be joined. It does not repeat them. */
  | { readonly kind: 'contradicts'; readonly why: string }
  /** It did not answer, or cannot at present, or does not know the log. Whether it stored the checkpoint is not known. */
  | { readonly kind: 'unavailable'; readonly why: string }

/** Another organisation that remembers how long our log is, and signs that it only grew. */
export interface Cosigner {
  /** Its name in the policy. */
  readonly name: string
  readonly key: CosignerKey
  /**
   * Offers a checkpoint that is public. What it accepts is durable there before it answers, so it never accepts a shorter
   * log, or another one, later. Has a deadline of its own and never rejects: callers decide whether to ask again.
   */
  addCheckpoint(offered: OfferedCheckpoint, signal: AbortSignal): Promise<CosignerAnswer>
}
