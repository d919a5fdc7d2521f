import { ByteWriter } from './byte-writer.ts'
import { createPlaces, type Places } from './places.ts'
import { type Signature, writeSignature } from './signature.ts'
import { array, dictionary, type Source } from './source.ts'

/** The number of an object in the file. */
export type Reference = number & { readonly isReference: true }

export const refer = (reference: Reference): Source => `${reference} 0 R`

/** Compresses to the zlib format. Browsers have only an asynchronous one. */
export type Deflate = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>

/** Writes the source of an object: for those of which a file has hundreds. */
export type WriteSource = (output: ByteWriter) => void

export type ObjectFile = {
  /** A number for an object that is written later. */
  readonly allocate: () => Reference
  readonly assign: (reference: Reference, source: Source | WriteSource) => void
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

export type Trailer = {
  readonly root: Reference
  readonly info: Reference
  readonly id: string
  /** A dictionary whose hole gets a signature of all other bytes of the file. */
  readonly signature?: Signature | undefined
}

const ascii = new TextEncoder()
const bytesOf = (bytes: Uint8Array | string): Uint8Array =>
  typeof bytes === 'string' ? ascii.encode(bytes) : bytes

type FileObject = Source | WriteSource | Stream

/** Collects the objects of a PDF 1.7 file. Those without a stream are written together in object streams (ISO 32000-1, 7.5.7). */
export const createObjectFile = (deflate: Deflate): ObjectFile => {
  const objects: (FileObject | undefined)[] = [undefined]
  const allocate = (): Reference => (objects.push(undefined) - 1) as Reference
  const put = (object: FileObject): Reference => (objects.push(object) - 1) as Reference
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

type Output = { readonly file: ByteWriter; readonly deflate: Deflate; readonly places: Places }

const writeFile = async (
  objects: readonly (FileObject | undefined)[],
  { root, info, id, signature }: Trailer,
  deflate: Deflate,
): Promise<Uint8Array> => {
  const inStreams = objects.reduce<number>((count, object) => (isPacked(object) ? count + 1 : count), 0)
  const last = objects.length + Math.ceil(inStreams / perObjectStream)
  const output: Output = { file: new ByteWriter(65_536), deflate, places: createPlaces(last + 1) }
  const { file, places } = output
  file.bytes(header)
  for (let reference = 0; reference < objects.length; reference += 1) {
    const object = objects[reference]
    if (object !== undefined && !isPacked(object)) await writeStream(output, reference, object)
  }
  for (let from = 0, next = objects.length; next < last; next += 1) {
    const packed = objectStream(objects, { from, inStream: next, places })
    await writeStream(output, next, packed.stream)
    from = packed.end
  }
  const patchRanges = signature === undefined ? undefined : writeSignature(signature, file, places)
  const start = file.length
  const identity = `<${id}>`
  const entries = {
    Type: '/XRef',
    Size: last + 1,
    W: array([1, 4, 1]),
    Root: refer(root),
    Info: refer(info),
    ID: array([identity, identity]),
  }
  places.inFile(last, start)
  await writeStream(output, last, { entries, bytes: places.rows })
  file.source(`startxref\n${start}\n%%EOF\n`)
  patchRanges?.()
  return file.written.slice()
}

const isPacked = (object: FileObject | undefined): object is Source | WriteSource =>
  typeof object === 'string' || typeof object === 'function'

const writeStream = async (
  { file, deflate, places }: Output,
  reference: number,
  { entries = {}, bytes, as }: Stream,
): Promise<void> => {
  const content = as === undefined ? await deflate(bytesOf(bytes)) : bytesOf(bytes)
  const filter = as === undefined ? { Filter: '/FlateDecode' } : {}
  places.inFile(reference, file.length)
  file.source(
    `${reference} 0 obj\n${dictionary({ ...entries, ...filter, Length: content.length })}\nstream\n`,
  )
  file.bytes(content)
  file.source('\nendstream\nendobj\n')
}

/** The next objects without a stream, in an object stream of this number. */
const objectStream = (
  objects: readonly (FileObject | undefined)[],
  { from, inStream, places }: { readonly from: number; readonly inStream: number; readonly places: Places },
): { readonly stream: Stream; readonly end: number } => {
  const index = new ByteWriter()
  const body = new ByteWriter(32_768)
  let [count, end] = [0, from]
  for (; end < objects.length && count < perObjectStream; end += 1) {
    const object = objects[end]
    if (!isPacked(object)) continue
    places.inStream(end, inStream, count)
    index.integer(end)
    index.source(' ')
    index.integer(body.length)
    index.source(' ')
    if (typeof object === 'string') body.source(object)
    else object(body)
    body.source('\n')
    count += 1
  }
  const First = index.length
  index.bytes(body.written)
  return { stream: { entries: { Type: '/ObjStm', N: count, First }, bytes: index.written }, end }
}
