import { decodeBase58 } from '../encoding/base58.ts'
import { concatBytes } from '../encoding/bytes.ts'
import type { JsonValue } from '../json/read.ts'
import { ownerOf } from '../ledger/owners.fixture.ts'
import { cosign, type Cosigner, cosignerKey, formatCosignerKey } from '../log/cosignature.ts'
import { signatureLine, splitNote } from '../log/note.ts'
import { parseTlogProof } from '../log/tlog-proof.ts'
import { portablePrimitives as primitives } from '../primitives.ts'

const cosignerOf = (name: string, seed: number): Cosigner & { readonly vkey: string } => {
  const { publicKey, sign } = ownerOf(seed)
  const key = cosignerKey(name, decodeBase58(publicKey), primitives)
  return { key, sign, vkey: formatCosignerKey(key) }
}

/** Two nodes and a witness, as the policies below name them. */
export const cosigners = {
  inspector: cosignerOf('inspection.example/node', 211),
  association: cosignerOf('association.example/node', 212),
  university: cosignerOf('university.example/witness', 213),
} as const
export type CosignerName = keyof typeof cosigners

/** Has the name of the inspector, and another key. */
export const pretender = cosignerOf('inspection.example/node', 214)

/** A line of the cosigner under this text. */
export const lineOf = (text: string, by: CosignerName, time: string): Promise<string> =>
  cosign(text, Date.parse(time) / 1_000, cosigners[by])

/** With this time, whether or not a clock could have it. */
export const lineAt = (text: string, by: CosignerName, time: bigint): string => {
  const { key, sign } = cosigners[by]
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, time)
  const message = new TextEncoder().encode(`cosignature/v1\ntime ${time}\n${text}`)
  return signatureLine({ ...key, signature: concatBytes(bytes, sign(message) as Uint8Array) })
}

const noteIn = (bundle: JsonValue): string => {
  const { proof } = bundle as { readonly proof: string }
  return parseTlogProof(proof).checkpoint
}

export const textIn = (bundle: JsonValue): string => splitNote(noteIn(bundle)).text

/** The bundle with these lines in its checkpoint. */
export const withLines = (bundle: JsonValue, lines: readonly string[]): JsonValue => {
  const { proof, ...more } = bundle as { readonly proof: string; readonly [name: string]: JsonValue }
  return { ...more, proof: `${proof}${lines.map((line) => `${line}\n`).join('')}` }
}

/** The bundle after each of these has signed its checkpoint at this time. */
export const cosigned = async (
  bundle: JsonValue,
  ...signed: readonly (readonly [CosignerName, string])[]
): Promise<JsonValue> =>
  withLines(bundle, await Promise.all(signed.map(([by, time]) => lineOf(textIn(bundle), by, time))))

/** What a policy needs to know of a log. */
type Keyed = { readonly log: { readonly vkey: string } }

const witnesses = Object.entries(cosigners).map(([name, { vkey }]) => `witness ${name} ${vkey}`)

/** The text of a tlog-policy with the three, and these lines after them. */
export const tlogPolicyOf = ({ log }: Keyed, ...lines: readonly string[]): string =>
  [`log ${log.vkey} https://mill.example/ledger/live`, ...witnesses, ...lines, ''].join('\n')

const allNodes: readonly CosignerName[] = ['inspector', 'association']

/** Version 2. Default: two of the three, of whom two are nodes. */
export const policy2Of = (
  opened: Keyed,
  {
    lines = ['group others 2 inspector association university', 'quorum others'],
    nodes = allNodes,
    ...more
  }: {
    readonly lines?: readonly string[]
    readonly nodes?: readonly string[]
    readonly [name: string]: JsonValue | readonly string[] | undefined
  } = {},
): JsonValue => ({
  policyVersion: 2,
  log: tlogPolicyOf(opened, ...lines),
  nodes: [...nodes],
  ...(more as { readonly [name: string]: JsonValue }),
})
