const oneDimension = 1
const oidOfBytea = 17
const headerBytes = 20
const lengthOfNull = -1

/**
 * A parameter for `bytea[]`, as PostgreSQL sends and receives arrays in binary. As an array of buffers it would be written
 * in hexadecimal, between quotes, which takes both sides longer than all else that they do with a PDF.
 */
export const bytesArray = (elements: readonly (Uint8Array | null)[]): Buffer => {
  const size = elements.reduce((sum, element) => sum + 4 + (element?.length ?? 0), headerBytes)
  const array = Buffer.alloc(size)
  array.writeInt32BE(oneDimension, 0)
  array.writeInt32BE(elements.includes(null) ? 1 : 0, 4)
  array.writeInt32BE(oidOfBytea, 8)
  array.writeInt32BE(elements.length, 12)
  // Indexes begin with 1.
  array.writeInt32BE(1, 16)
  let at = headerBytes
  for (const element of elements) {
    at = array.writeInt32BE(element === null ? lengthOfNull : element.length, at)
    if (element === null) continue
    array.set(element, at)
    at += element.length
  }
  return array
}
