import { randomBytes, randomUUID } from 'node:crypto'
import type { ByteRange } from '../../../ports/files/files.ts'
import { codeIn, type ObjectAnswer, type Requests } from './requests.ts'

/**
 * `absent`: a file that does not exist, but whose first writer is known. `parts`: the content is in objects of its own.
 */
export type ObjectKind = 'file' | 'absent' | 'parts'
export type ObjectContent = { readonly kind: ObjectKind; readonly term: number; readonly bytes: Uint8Array }
export type StoredObject = Omit<ObjectContent, 'bytes'> & { readonly bytes: Buffer; readonly etag: string }
export type ListedObject = { readonly key: string; readonly size: number }

/** Write only if there is no object, or only over the one with this ETag. */
export type Condition = 'new' | { readonly etag: string }

export type Objects = {
  read(key: string): Promise<StoredObject | undefined>
  /** `beyond`: the object has no such bytes, or it is not a file. */
  readRange(key: string, range: ByteRange): Promise<Buffer | 'beyond' | undefined>
  /** The size of its content. */
  size(key: string): Promise<number | undefined>
  /** Resolves with the new ETag, or with undefined if the condition does not hold. */
  write(key: string, content: ObjectContent, condition: Condition): Promise<string | undefined>
  list(prefix: string): Promise<readonly ListedObject[]>
  remove(keys: readonly string[]): Promise<void>
}

/**
 * The first bytes of every object: kind, term of its writer, and a random number, by which no two writes have the same ETag.
 * A write that comes late never replaces a later one, not even one with the same content.
 */
export const tagBytes = 17
const kinds: readonly ObjectKind[] = ['file', 'absent', 'parts']

const tagged = ({ kind, term, bytes }: ObjectContent): Buffer => {
  const tag = Buffer.alloc(9)
  tag.writeUInt8(kinds.indexOf(kind))
  tag.writeBigUInt64BE(BigInt(term), 1)
  return Buffer.concat([tag, randomBytes(tagBytes - tag.length), bytes])
}

const parsed = (key: string, { bytes, headers }: ObjectAnswer): StoredObject => {
  const kind = bytes.length < tagBytes ? undefined : kinds[bytes.readUInt8()]
  if (kind === undefined) throw new Error(`The object ${key} was not written by Millseal`)
  return {
    kind,
    term: Number(bytes.readBigUInt64BE(1)),
    bytes: bytes.subarray(tagBytes),
    etag: headers.get('etag') ?? '',
  }
}

/** At most so many requests at a time. */
const parallel = 16

export const createObjects = (send: Requests): Objects => {
  const read: Objects['read'] = async (key) => {
    const answer = await send({ method: 'GET', key })
    return answer.status === 404 ? undefined : parsed(key, expected(key, answer, [200]))
  }
  const writeTagged = async (
    key: string,
    body: Buffer,
    condition: Condition,
  ): Promise<string | undefined> => {
    const headers: Record<string, string> =
      condition === 'new' ? { 'if-none-match': '*' } : { 'if-match': condition.etag }
    const answer = await send({ method: 'PUT', key, headers, body })
    if (answer.status === 412 || answer.status === 404)
      return answer.wasRepeated ? await etagIfOwn(send, key, body) : undefined
    return expected(key, answer, [200]).headers.get('etag') ?? ''
  }
  let probing: Promise<void> | undefined
  return {
    read,
    async readRange(key, { offset, length }) {
      const from = tagBytes + offset
      const headers = { range: `bytes=${from}-${from + length - 1}` }
      const answer = await send({ method: 'GET', key, headers })
      if (answer.status === 404) return undefined
      return answer.status === 416 ? 'beyond' : expected(key, answer, [206]).bytes
    },
    async size(key) {
      const answer = await send({ method: 'HEAD', key })
      if (answer.status === 404) return undefined
      return Number(expected(key, answer, [200]).headers.get('content-length')) - tagBytes
    },
    async write(key, content, condition) {
      probing ??= probe(send, key.replace(/[^/]+$/, `.probe-${randomUUID()}`)).catch((error: unknown) => {
        probing = undefined
        throw error
      })
      await probing
      return await writeTagged(key, tagged(content), condition)
    },
    list: (prefix) => listAll(send, prefix),
    async remove(keys) {
      await inTurn(keys, async (key) => {
        expected(key, await send({ method: 'DELETE', key }), [200, 204, 404])
      })
    },
  }
}

/** Its answer was lost: the tag tells whether the object is from this write. */
const etagIfOwn = async (send: Requests, key: string, body: Buffer): Promise<string | undefined> => {
  const now = await send({ method: 'GET', key })
  return now.status === 200 && now.bytes.equals(body) ? (now.headers.get('etag') ?? '') : undefined
}

/** A store that ignores conditions would let two writers overwrite each other. */
const probe = async (send: Requests, key: string): Promise<void> => {
  const body = Buffer.from('probe')
  const write = (headers: Readonly<Record<string, string>>) => send({ method: 'PUT', key, headers, body })
  expected(key, await write({ 'if-none-match': '*' }), [200, 412])
  const answers = [
    await write({ 'if-none-match': '*' }),
    await write({ 'if-match': '"00000000000000000000000000000000"' }),
  ]
  await send({ method: 'DELETE', key })
  if (answers.some(({ status }) => status !== 412))
    throw new Error(
      'This S3 store ignores If-None-Match or If-Match, so the log would not be safe there: use another store or release',
    )
}

const expected = (key: string, answer: ObjectAnswer, statuses: readonly number[]): ObjectAnswer => {
  if (statuses.includes(answer.status)) return answer
  throw new Error(
    `S3 answered ${answer.status}${codeIn(answer.bytes)} for ${key === '' ? 'the bucket' : key}: check MILLSEAL_S3_BUCKET, MILLSEAL_S3_REGION and the key`,
  )
}

/** Keys have no character that XML would escape, so the answer is read without a parser. */
const listAll = async (send: Requests, prefix: string): Promise<readonly ListedObject[]> => {
  const found: ListedObject[] = []
  let from: Readonly<Record<string, string>> = {}
  for (;;) {
    const answer = await send({ method: 'GET', query: { 'list-type': '2', prefix, ...from } })
    const text = expected('', answer, [200]).bytes.toString('utf8')
    for (const [, one = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      found.push({ key: valueIn(one, 'Key') ?? '', size: Number(valueIn(one, 'Size')) })
    const next = valueIn(text, 'NextContinuationToken')
    if (valueIn(text, 'IsTruncated') !== 'true' || next === undefined) return found
    from = { 'continuation-token': next }
  }
}

const valueIn = (xml: string, name: string): string | undefined => {
  const [, value] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return value?.replaceAll('&#34;', '"').replaceAll('&amp;', '&')
}

/** Some at a time. */
export const inTurn = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const todo = all.values()
  const workOff = async (): Promise<void> => {
    for (const one of todo) await work(one)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(parallel, all.length) }, workOff))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
