import { encodeBase64, formatNoteKey, type Hash, type NoteKey } from '@millseal/proof'

/** Why a log was stopped, in what anybody can check with the key of the log. */
export type Evidence = Fork | Lie

/** Two signed checkpoints that no growing log has both. */
export type Fork = {
  readonly kind: 'fork'
  readonly reason: string
  /** The one with fewer entries first. */
  readonly checkpoints: readonly [string, string]
  /** The root that the first entries of the second one have, instead of that of the first one, and the consistency proof of it. */
  readonly root?: Hash
  readonly proof?: readonly Hash[]
}

/** A signed checkpoint over entries that the log must not contain, or that say something else. */
export type Lie = {
  readonly kind: 'lie'
  readonly reason: string
  readonly checkpoint: string
  /** The one before, if the two contradict each other. */
  readonly before?: string | undefined
  /** The first entry that the log must not contain, with its inclusion proof. */
  readonly entry?: { readonly index: number; readonly bytes: Uint8Array; readonly path: readonly Hash[] }
}

/** The log has signed something that its entries do not allow. */
export class LogLied extends Error {
  override readonly name = 'LogLied'
  readonly lie: Lie
  constructor(lie: Lie) {
    super(lie.reason)
    this.lie = lie
  }
}

export const writeEvidence = (
  evidence: Evidence,
  { key, foundAtMs }: { readonly key: NoteKey; readonly foundAtMs: number },
): string => {
  const { kind, reason } = evidence
  const head = {
    kind,
    reason,
    log: key.name,
    key: formatNoteKey(key),
    foundAt: new Date(foundAtMs).toISOString(),
  }
  const told = kind === 'fork' ? forkOf(evidence) : lieOf(evidence)
  return `${JSON.stringify({ ...head, ...told }, null, 2)}\n`
}

const forkOf = ({ checkpoints, root, proof }: Fork) => ({
  checkpoints,
  root: root && encodeBase64(root),
  proof: proof?.map(encodeBase64),
})

const lieOf = ({ checkpoint, before, entry }: Lie) => ({
  checkpoint,
  before,
  entry: entry && {
    index: entry.index,
    bytes: encodeBase64(entry.bytes),
    path: entry.path.map(encodeBase64),
  },
})

/** Undefined if the text is not one of ours. */
export const reasonOf = (evidence: string): string | undefined => {
  try {
    const { reason } = JSON.parse(evidence) as { readonly reason?: unknown }
    return typeof reason === 'string' ? reason : undefined
  } catch {
    return undefined
  }
}
