import type { ByteWriter } from './byte-writer.ts'
import type { Places } from './places.ts'
import { array, dictionary, literal, text } from './source.ts'

/** A signature that is added later (ISO 32000-1, 12.8.1). */
export type Signature = {
  /** The number of its object. */
  readonly reference: number
  /** The name of the signer. */
  readonly signer: string
  /** When it is made: `2026-01-31T12:00:00Z`. */
  readonly at: string
  /** The most bytes that the signature may have. */
  readonly bytes: number
}

/** Enough for files of 9 GB; a number of the range is filled up with spaces. */
const digits = 10
const emptyRange = array(Array.from({ length: 4 }, () => ' '.repeat(digits)))

/**
 * Writes the dictionary with zeros in place of the signature, as the last object before the cross-reference stream, where
 * a reader finds it without searching. Returns what fills in its ranges once the file is complete.
 */
export const writeSignature = (
  { reference, signer, at, bytes }: Signature,
  file: ByteWriter,
  places: Places,
): (() => void) => {
  places.inFile(reference, file.length)
  const entries = {
    Type: '/Sig',
    Filter: '/Adobe.PPKLite',
    SubFilter: '/ETSI.CAdES.detached',
    Name: text(signer),
    M: literal(`D:${at.replaceAll(/[-:T]/gu, '').slice(0, 14)}Z`),
    ByteRange: emptyRange,
    Contents: `<${'0'.repeat(2 * bytes)}>`,
  }
  file.source(`${reference} 0 obj\n${dictionary(entries)}`)
  // The dictionary ends with ">>" after the hole.
  const afterHole = file.length - 2
  const hole = afterHole - 2 * bytes - 2
  const range = hole - '/Contents '.length - emptyRange.length
  file.source('\nendobj\n')
  return () => {
    const numbers = [0, hole, afterHole, file.length - afterHole]
    file.overwrite(range, array(numbers.map((one) => String(one).padEnd(digits))))
  }
}
