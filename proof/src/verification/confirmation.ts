import { collectCosignatures } from '../log/cosignature.ts'
import { splitNote } from '../log/note.ts'
import { isQuorum, type PolicyWitness } from '../log/tlog-policy.ts'
import type { SignatureVerifying } from '../primitives.ts'
import type { TrustPolicy } from './policy.ts'

/** Who stands for what a checkpoint says, by the policy of the reader. */
export type Confirmation = {
  /**
   * `nodes`: a quorum of those who check every entry, so that status, time and operator are what the entries say. `witnesses`:
   * a quorum saw this history, and no other. `operator`: no quorum signed, or the policy demands none.
   */
  readonly by: 'nodes' | 'witnesses' | 'operator'
  /** Names in the policy of those who signed: of nodes, if they are a quorum without the others. */
  readonly names: readonly string[]
  /** How many of them the policy names. */
  readonly of: number
  /** The first time at which a quorum had signed: the entry was recorded before. */
  readonly before: string | undefined
  /** Whether the policy demands a quorum. */
  readonly isDemanded: boolean
}

/** The note must be a verified checkpoint. */
export const confirmationOf = (
  note: string,
  { cosigners, nodes = [] }: TrustPolicy,
  primitives: SignatureVerifying,
): Confirmation => {
  if (cosigners === undefined)
    return { by: 'operator', names: [], of: 0, before: undefined, isDemanded: false }
  const { witnesses, quorum } = cosigners
  const keys = witnesses.map(({ key }) => key)
  const signed = collectCosignatures(splitNote(note), keys, primitives).toSorted(
    (one, other) => one.timeSeconds - other.timeSeconds,
  )
  const among = (asked: readonly PolicyWitness[]) => {
    const lines = signed.filter(({ key }) => asked.some((one) => one.key === key))
    const isEnough = (count: number): boolean =>
      isQuorum(
        cosigners,
        lines.slice(0, count).map(({ key }) => key),
      )
    const last = quorum === undefined ? undefined : lines.find((_, at) => isEnough(at + 1))
    const names = asked.filter(({ key }) => lines.some((one) => one.key === key)).map(({ name }) => name)
    // The time of a cosignature is in whole seconds.
    const before = last && new Date((last.timeSeconds + 1) * 1_000).toISOString()
    return { names, of: asked.length, before, isDemanded: quorum !== undefined }
  }
  const byNodes = among(witnesses.filter(({ name }) => nodes.includes(name)))
  if (byNodes.before !== undefined) return { by: 'nodes', ...byNodes }
  const byAll = among(witnesses)
  return { by: byAll.before === undefined ? 'operator' : 'witnesses', ...byAll }
}
