import { encodeHex } from '../encoding/hex.ts'
import { utf8 } from '../encoding/bytes.ts'
import type { JsonValue } from '../json/read.ts'
import { collectCosignatures } from '../log/cosignature.ts'
import { splitNote } from '../log/note.ts'
import { parseTlogProof } from '../log/tlog-proof.ts'
import type { Hashing, Primitives, SignatureVerifying } from '../primitives.ts'
import { readBundle } from './bundle.ts'
import type { TrustPolicy } from './policy.ts'
import { attempt } from './proven.ts'
import type { Facts } from './report.ts'
import type { Reading } from './status-age.ts'
import { verifyBundle } from './verify-bundle.ts'

/** Where a node has the proof bundle of a file. */
export const nodeProofPath = (origin: string, hash: string, { sha256 }: Hashing): string =>
  `/${encodeHex(sha256(utf8(origin)))}/proof/${hash}?format=3`

/**
 * The bundle that says most of a file: one with a correction, otherwise one that a quorum has signed, otherwise the newest.
 * A node signs only with its own key, so each bundle gets the signatures that the others have of its checkpoint.
 */
export const bestBundle = (
  {
    bundles,
    hash,
    policy,
    reading,
  }: {
    readonly bundles: readonly JsonValue[]
    readonly hash: string
    readonly policy: TrustPolicy
    readonly reading: Reading
  },
  primitives: Primitives,
): JsonValue | undefined => {
  const judged = bundles.map((one) => {
    const bundle = withSignatures(one, bundles, { policy, primitives })
    const file = { kind: 'json', hash } as const
    return { bundle, facts: verifyBundle({ file, bundle, policy, ...reading }, primitives).facts }
  })
  const [best] = judged.toSorted((one, other) => rankOf(other.facts) - rankOf(one.facts))
  return best?.bundle
}

/** The number of entries is below 2⁵³, and those of a log in use far below 2⁴⁸. */
const rankOf = (facts: Facts | undefined): number => {
  if (facts === undefined) return -1
  const { status, isUnconfirmed, size } = facts
  const isCorrected = status.newest !== undefined
  return Math.min(size, 2 ** 48) + (isCorrected ? 2 ** 51 : 0) + (isUnconfirmed ? 0 : 2 ** 50)
}

const withSignatures = (
  bundle: JsonValue,
  bundles: readonly JsonValue[],
  { policy, primitives }: { readonly policy: TrustPolicy; readonly primitives: SignatureVerifying },
): JsonValue => {
  const own = noteIn(bundle)
  if (own === undefined || policy.cosigners === undefined) return bundle
  const keys = policy.cosigners.witnesses.map(({ key }) => key)
  const lines = bundles.flatMap((one) => {
    const other = noteIn(one)
    return other?.text === own.text ? collectCosignatures(other, keys, primitives) : []
  })
  const missing = keys.flatMap((key) => {
    const { line } = lines.find((one) => one.key === key) ?? {}
    return line === undefined || own.lines.includes(line) ? [] : [`${line}\n`]
  })
  const { proof } = bundle as { readonly proof: string }
  return { ...(bundle as object), proof: proof + missing.join('') }
}

const noteIn = (bundle: JsonValue): ReturnType<typeof splitNote> | undefined => {
  const note = attempt(() => splitNote(parseTlogProof(readBundle(bundle).proof).checkpoint))
  return note instanceof Error ? undefined : note
}
