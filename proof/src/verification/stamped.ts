import { tryDecodeBase64 } from '../encoding/base64.ts'
import type { JsonValue } from '../json/read.ts'
import { verifySigned } from '../ledger/verify-signed.ts'
import { originOf, verifyCheckpoint } from '../log/checkpoint.ts'
import { writeLogEntry } from '../log/entry.ts'
import { verifyInclusion } from '../log/inclusion.ts'
import { leafHash } from '../log/merkle-hash.ts'
import { NoteRefused, splitNote } from '../log/note.ts'
import { parseTlogProof } from '../log/tlog-proof.ts'
import type { Primitives } from '../primitives.ts'
import type { Authority } from '../stamps/chain.ts'
import { StampRefused } from '../stamps/stamp-refused.ts'
import { type Stamped, verifyStamp } from '../stamps/verify-stamp.ts'
import { asPath, BundleUnreadable, type Fields, readBundle } from './bundle.ts'
import type { TrustPolicy } from './policy.ts'

/**
 * What the authorities that the verifier trusts say of the time of the certificate: of each the earliest, the earliest first.
 * Ignores time stamps that prove nothing: they are in the bundle for others.
 */
export const stampsOn = (
  {
    bundle: json,
    policy,
    authorities,
  }: {
    /** One that `verifyBundle` accepts. */
    readonly bundle: JsonValue
    readonly policy: TrustPolicy
    readonly authorities: readonly Authority[]
  },
  primitives: Primitives,
): readonly Stamped[] => {
  const { transaction, time, proof, stamps } = readBundle(json)
  const { index, checkpoint: note } = parseTlogProof(proof)
  const entry = writeLogEntry({ transaction: verifySigned(transaction, primitives), time })
  const leaf = leafHash(entry, primitives)
  const judge = ({ kind, checkpoint, path, token: text }: Fields): Stamped | undefined => {
    const token = typeof text === 'string' ? tryDecodeBase64(text) : undefined
    if (kind !== 'rfc3161' || typeof checkpoint !== 'string' || token === undefined) return undefined
    const head = verifyCheckpoint(checkpoint, policy.logs, primitives)
    const isOfThisLog = originOf(checkpoint) === originOf(note)
    if (!isOfThisLog || !verifyInclusion({ ...head, index, leaf, path: asPath(path, 'path') }, primitives))
      return undefined
    const sha256 = primitives.sha256(new TextEncoder().encode(splitNote(checkpoint).text))
    return verifyStamp({ token, sha256, authorities })
  }
  const found = stamps.flatMap((stamp) => unlessRefused(() => judge(stamp)) ?? [])
  const inOrder = found.toSorted((one, other) => one.before.localeCompare(other.before))
  return inOrder.filter(
    ({ authority }, at) => inOrder.findIndex((each) => each.authority === authority) === at,
  )
}

const unlessRefused = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (error) {
    if ([NoteRefused, StampRefused, BundleUnreadable].some((refusal) => error instanceof refusal))
      return undefined
    throw error
  }
}
