/** Where objects are, as a cross-reference stream has it (ISO 32000-1, 7.5.8). */
export type Places = {
  /** One row of six bytes for each object: its kind, its position or stream, its index in the stream. */
  readonly rows: Uint8Array
  readonly inFile: (reference: number, position: number) => void
  readonly inStream: (reference: number, stream: number, index: number) => void
}

export const createPlaces = (count: number): Places => {
  const rows = new DataView(new ArrayBuffer(6 * count))
  // The first object does not exist, and is the last of the free ones.
  rows.setUint8(5, 255)
  const set = (reference: number, [kind, place, index]: readonly [number, number, number]): void => {
    rows.setUint8(6 * reference, kind)
    rows.setUint32(6 * reference + 1, place)
    rows.setUint8(6 * reference + 5, index)
  }
  return {
    rows: new Uint8Array(rows.buffer),
    inFile: (reference, position) => set(reference, [1, position, 0]),
    inStream: (reference, stream, index) => set(reference, [2, stream, index]),
  }
}
