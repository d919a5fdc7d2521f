import { readFile, stat } from 'node:fs/promises'
import {
  deepestBundle,
  type JsonValue,
  type NoteKey,
  originOf,
  readJson,
  type TrustPolicy,
} from '@millseal/proof'
import { readSigned, type SignedCheckpoint } from './continuation.ts'

const maxBytes = 64 * 1_024 * 1_024

/** The checkpoint in a file: a checkpoint, a proof bundle, a tlog-proof, or the state of `log watch`. Not verified yet. */
export const readHeldNote = async (path: string): Promise<string> => {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new Error(`${path} does not exist, or cannot be read`, { cause })
  })
  if (size > maxBytes) throw new Error(`${path} is too large: ${size} bytes (maximum ${maxBytes})`)
  const bytes = await readFile(path)
  const text = bytes.toString('utf8')
  if (text.startsWith('c2sp.org/tlog-proof')) return afterHeader(text)
  if (!text.trimStart().startsWith('{')) return text
  const note = noteIn(bytes)
  if (note === undefined) throw new Error(`${path} contains no checkpoint of a log`)
  return note
}

const noteIn = (bytes: Uint8Array): string | undefined => {
  try {
    const json = readJson(bytes, { maxDepth: deepestBundle })
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
    const { checkpoint } = json
    return typeof checkpoint === 'string' ? checkpoint : noteOfBundle(json)
  } catch {
    return undefined
  }
}

/** The checkpoint in the proof of a bundle of either format. Undefined if there is none. */
export const noteOfBundle = (bundle: JsonValue | undefined): string | undefined => {
  if (typeof bundle !== 'object' || bundle === null || Array.isArray(bundle)) return undefined
  const proof = bundle['proof'] ?? bundle['tlogProof']
  return typeof proof === 'string' ? afterHeader(proof) : undefined
}

const afterHeader = (proof: string): string => proof.slice(proof.indexOf('\n\n') + 2)

/** Throws if the policy has no key that signed the checkpoint. */
export const verifyHeld = (
  note: string,
  { logs }: TrustPolicy,
): { readonly checkpoint: SignedCheckpoint; readonly key: NoteKey } => {
  const reasons: string[] = []
  for (const key of logs.filter(({ name }) => name === originOf(note))) {
    try {
      return { checkpoint: readSigned(note, key), key }
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(reasons[0] ?? `the policy has no key for the log ${originOf(note) || 'of this checkpoint'}`)
}
