import {
  canonicalJson,
  deepestBundle,
  encodeHex,
  extractEmbeddedCertificate,
  type FileHash,
  JsonError,
  type JsonValue,
  looksLikePdf,
  looksLikePolicy,
  parsePolicyFile,
  PolicyUnreadable,
  readJson,
  readPolicy,
  type TrustPolicy,
  twoFormatsOf,
  valueAt,
} from '@millseal/proof/verifier'
import { smallPrimitives as primitives } from '@millseal/proof/small'
import { Trouble } from './service.ts'
import { entriesOf, isZip } from './zip.ts'

/** A certificate in JSON or PDF. */
export type Paper = FileHash & {
  readonly name: string
  /** The JSON itself, or the one inside the PDF. */
  readonly certificate: JsonValue | undefined
  readonly pdf: Uint8Array<ArrayBuffer> | undefined
}

export type Bundle = { readonly json: JsonValue; readonly hashes: readonly unknown[] }

export type ReadFile =
  | { readonly kind: 'paper'; readonly paper: Paper }
  | { readonly kind: 'bundle'; readonly bundle: Bundle }
  | { readonly kind: 'policy'; readonly found: NamedPolicy }
  | { readonly kind: 'failed'; readonly name: string; readonly error: unknown }

/** A trust policy and the name of its file. */
export type NamedPolicy = { readonly name: string; readonly policy: TrustPolicy }

/** A file on the device, or in a zip. */
export type Named = { readonly name: string; readonly bytes: () => Promise<Uint8Array<ArrayBuffer>> }

/** The same depth as in the command and the server. */
const deepestCertificate = 64
const maxBytes = 64 * 1_024 * 1_024

export const namedFile = (file: File): Named => ({
  name: file.webkitRelativePath || file.name,
  bytes: async () => {
    if (file.size > maxBytes * 4) throw new Trouble((texts) => texts.fileUnreadable)
    return new Uint8Array(await file.arrayBuffer())
  },
})

/** Reads a file, or every file in a zip, one after the other. */
export async function* readAll(files: readonly Named[]): AsyncGenerator<ReadFile> {
  for (const { name, bytes: load } of files)
    try {
      const bytes = await load()
      const two = twoFormatsOf(name, bytes)
      if (two !== undefined) throw new Trouble((texts) => texts.twoFormats(...two))
      if (isZip(bytes)) yield* readAll(entriesOf(bytes).filter(isWanted))
      else yield* readOne(name, bytes)
    } catch (error) {
      yield { kind: 'failed', name, error }
    }
}

/** Leaves out files that operating systems add to folders and zips. */
export const isWanted = ({ name }: Named): boolean =>
  !/(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name)

async function* readOne(name: string, bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<ReadFile> {
  if (looksLikePdf(bytes)) {
    const inside = await embeddedIn(bytes)
    const isPolicy = looksLikePolicy(inside)
    if (inside !== undefined && isPolicy) yield policyFile(name, inside)
    const certificate = isPolicy ? undefined : inside
    yield { kind: 'paper', paper: { name, kind: 'pdf', hash: sha256(bytes), certificate, pdf: bytes } }
    return
  }
  const json = jsonIn(bytes, deepestBundle)
  if (looksLikePolicy(json)) yield policyFile(name, json)
  else if ('formatVersion' in json) yield { kind: 'bundle', bundle: { json, hashes: hashesIn(json) } }
  else {
    const certificate = jsonIn(bytes, deepestCertificate)
    const hash = hashOfJson(certificate)
    yield { kind: 'paper', paper: { name, kind: 'json', hash, certificate, pdf: undefined } }
  }
}

const policyFile = (name: string, json: JsonValue): ReadFile => ({
  kind: 'policy',
  found: { name, policy: policyIn(json) },
})

const isObject = (json: JsonValue | undefined): json is { [key: string]: JsonValue } =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const sha256 = (bytes: Uint8Array): string => encodeHex(primitives.sha256(bytes))

export const hashOfJson = (json: JsonValue): string => sha256(new TextEncoder().encode(canonicalJson(json)))

/** The hashes that a bundle names, to find it for a file. Only the verification decides. */
const hashesIn = (bundle: { readonly [key: string]: JsonValue }): readonly unknown[] => {
  const entry = isObject(bundle['entry']) ? bundle['entry'] : bundle
  return ['jsonHash', 'pdfHash'].map((name) => valueAt(entry, ['transaction', 'asset', 'data', name]))
}

/** Reads a file that the reader chose as a policy. */
export const policyOf = async ({ name, bytes }: Named): Promise<NamedPolicy> => ({
  name,
  policy: policyIn(await bytes().then((content) => unlessNotJson(() => parsePolicyFile(content)))),
})

const policyIn = (json: JsonValue): TrustPolicy => {
  try {
    return readPolicy(json, primitives)
  } catch (error) {
    if (!(error instanceof PolicyUnreadable)) throw error
    throw new Trouble((texts) => texts.badPolicy(error.message), { cause: error })
  }
}

/** A PDF may embed anything, also files that are no certificate. */
const embeddedIn = async (pdf: Uint8Array): Promise<JsonValue | undefined> => {
  try {
    const bytes = await extractEmbeddedCertificate(pdf)
    return bytes && readJson(bytes, { maxDepth: deepestCertificate })
  } catch {
    return undefined
  }
}

const jsonIn = (bytes: Uint8Array, maxDepth: number): { [key: string]: JsonValue } => {
  const json = unlessNotJson(() => readJson(bytes, { maxDepth }))
  if (isObject(json)) return json
  throw new Trouble((texts) => texts.notReadable('not an object'))
}

const unlessNotJson = (read: () => JsonValue): JsonValue => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new Trouble((texts) => texts.notReadable(error.message), { cause: error })
  }
}
