import { encodeBase64 } from '../encoding/base64.ts'
import { concatBytes } from '../encoding/bytes.ts'
import type { Hash } from '../log/merkle-hash.ts'

/** A time stamp of a checkpoint that covers an entry. */
export type ProvenStamp = {
  /** RFC 3161: the token is about the SHA-256 of the text of the checkpoint. */
  readonly kind: 'rfc3161'
  /** The signed checkpoint, which can be an earlier or later one than that of a bundle. */
  readonly checkpoint: string
  /** From the entry to the root of this checkpoint. */
  readonly path: readonly Hash[]
  /** The ContentInfo in DER. */
  readonly token: Uint8Array
}

/** As bundles of format 3 have it: docs/bundle.md. */
export const writeStamp = ({ kind, checkpoint, path, token }: ProvenStamp) => ({
  kind,
  checkpoint,
  path: encodeBase64(concatBytes(...path)),
  token: encodeBase64(token),
})
