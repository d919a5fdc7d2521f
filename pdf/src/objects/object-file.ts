import { joinBytes } from './bytes.ts'
import { array, dictionary, type Source } from './source.ts'

/** The number of an object in the file. */
export type Reference = number & { readonly isReference: true }

export const refer = (reference: Reference): Source => `${reference} 0 R`

/** Compresses to the zlib format. Browsers have only an asynchronous one. */
export type Deflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

export type ObjectFile = {
  /** A number for an object that is written later. */
  readonly allocate: () => Reference
  readonly assign: (reference: Reference, source: Source) => void
  readonly add: (source: Source) => Reference
  readonly addStream: (stream: Stream) => Reference
  readonly toBytes: (trailer: Trailer) => Promise<Uint8Array>
}

export type Stream = {
  readonly entries?: Readonly<Record<string, Source | number | undefined>>
  readonly bytes: Uint8Array | string
  /** `compressed`: the bytes are already, and the entries say how. Default: they are compressed here. */
  readonly as?: 'compressed' | 'plain'
}

export type Trailer = { readonly root: Reference; readonly info: Reference; readonly id: string }

const ascii = new TextEncoder()
const bytesOf = (bytes: Uint8Array | string): Uint8Array =>
  typeof bytes === 'string' ? ascii.encode(bytes) : bytes

/** Collects the objects of a PDF 1.7 file. Those without a stream are written together in object streams (ISO 32000-1, 7.5.7). */
export const createObjectFile = (deflate: Deflate): ObjectFile => {
  const objects: (Source | Stream | undefined)[] = [undefined]
  const allocate = (): Reference => (objects.push(undefined) - 1) as Reference
  const put = (object: Source | Stream): Reference => (objects.push(object) - 1) as Reference
  return {
    allocate,
    assign: (reference, source) => {
      objects[reference] = source
    },
    add: put,
    addStream: put,
    toBytes: async (trailer) => writeFile(objects, trailer, deflate),
  }
}

const perObjectStream = 200
/** The second line of bytes above 127 tells programs that the file is not text. */
const header = Uint8Array.of(...ascii.encode('%PDF-1.7\n%'), 0xe2, 0xe3, 0xcf, 0xd3, 10)

/** Where an object is: at a position of the file, or in an object stream. */
type Place = { readonly at: number } | { readonly inStream: number; readonly index: number }

type Output = { readonly parts: Uint8Array[]; length: number; readonly places: (Place | undefined)[] }

const append = (output: Output, bytes: Uint8Array | string): void => {
  const part = bytesOf(bytes)
  output.parts.push(part)
  output.length += part.length
}

const writeFile = async (
  objects: readonly (Source | Stream | undefined)[],
  { root, info, id }: Trailer,
  deflate: Deflate,
): Promise<Uint8Array> => {
  const output: Output = { parts: [], length: 0, places: [] }
  append(output, header)
  const packed: Packed[] = []
  for (let reference = 0; reference < objects.length; reference += 1) {
    const object = objects[reference]
    if (typeof object === 'string') packed.push({ reference, source: object })
    else if (object !== undefined) await writeStream(output, reference, object, deflate)
  }
  let next = objects.length
  for (let from = 0; from < packed.length; from += perObjectStream) {
    const inStream = packed.slice(from, from + perObjectStream)
    for (const [index, { reference }] of inStream.entries())
      output.places[reference] = { inStream: next, index }
    await writeStream(output, next, objectStream(inStream), deflate)
    next += 1
  }
  const start = output.length
  output.places[next] = { at: start }
  const identity = `<${id}>`
  const entries = {
    Type: '/XRef',
    Size: next + 1,
    W: array([1, 4, 1]),
    Root: refer(root),
    Info: refer(info),
    ID: array([identity, identity]),
  }
  await writeStream(output, next, { entries, bytes: crossReferences(output.places, next) }, deflate)
  append(output, `startxref\n${start}\n%%EOF\n`)
  return joinBytes(output.parts)
}

const writeStream = async (
  output: Output,
  reference: number,
  { entries = {}, bytes, as }: Stream,
  deflate: Deflate,
): Promise<void> => {
  const content = as === undefined ? await deflate(bytesOf(bytes)) : bytesOf(bytes)
  const filter = as === undefined ? { Filter: '/FlateDecode' } : {}
  output.places[reference] = { at: output.length }
  append(
    output,
    `${reference} 0 obj\n${dictionary({ ...entries, ...filter, Length: content.length })}\nstream\n`,
  )
  append(output, content)
  append(output, '\nendstream\nendobj\n')
}

/** An object that is written in an object stream. */
type Packed = { readonly reference: number; readonly source: Source }

const objectStream = (packed: readonly Packed[]): Stream => {
  let index = ''
  let body = ''
  for (const { reference, source } of packed) {
    index += `${reference} ${body.length} `
    body += `${source}\n`
  }
  return {
    entries: { Type: '/ObjStm', N: packed.length, First: index.length },
    bytes: index + body,
  }
}

/** One row of six bytes for each object: its kind, its position or stream, its index in the stream. */
const crossReferences = (places: readonly (Place | undefined)[], last: number): Uint8Array => {
  const rows = new DataView(new ArrayBuffer((last + 1) * 6))
  // The first object does not exist, and is the last of the free ones.
  rows.setUint8(5, 255)
  for (let reference = 0; reference < places.length; reference += 1) {
    const place = places[reference]
    if (place === undefined) continue
    rows.setUint8(6 * reference, 'at' in place ? 1 : 2)
    rows.setUint32(6 * reference + 1, 'at' in place ? place.at : place.inStream)
    if ('index' in place) rows.setUint8(6 * reference + 5, place.index)
  }
  return new Uint8Array(rows.buffer)
}
