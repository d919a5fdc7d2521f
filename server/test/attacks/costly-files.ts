import { deflateSync } from 'node:zlib'

export type CostlyFile = {
  readonly name: string
  readonly type: 'application/json' | 'application/pdf'
  readonly body: Uint8Array<ArrayBuffer>
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'))
const stream = (data: string): string =>
  `%PDF-1.7\n1 0 obj<</Type/EmbeddedFile/Filter/FlateDecode/Length ${data.length}>>stream\n${data}\nendstream endobj`
const bomb = deflateSync(Buffer.alloc(300 * 2 ** 20, ' '), { level: 9 }).toString('latin1')

/** The files that we know to take most processor time per byte to verify. */
export const costlyFiles: readonly CostlyFile[] = [
  {
    name: 'nested arrays',
    type: 'application/json',
    body: bytesOf(`{"a":[${'[[[[[[[[[]]]]]]]]],'.repeat(50_000)}1]}`),
  },
  {
    name: 'short texts',
    type: 'application/json',
    body: bytesOf(`{"a":[${'"\\u00e9",'.repeat(110_000)}1]}`),
  },
  { name: 'a bomb', type: 'application/pdf', body: bytesOf(stream(bomb)) },
  {
    name: 'endless streams',
    type: 'application/pdf',
    body: bytesOf(`%PDF-1.7\n${'stream'.repeat(560_000)}`),
  },
  {
    name: 'endless names',
    type: 'application/pdf',
    body: bytesOf(`%PDF-1.7\n${'/EmbeddedFile '.repeat(280_000)}`),
  },
]
