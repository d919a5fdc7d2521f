const latin1 = new TextDecoder('latin1')

/** The directory of a zip is at the end of a file, before a comment of up to 64 KiB (APPNOTE 4.3.12, 4.3.16). */
const endsAsZip = (bytes: Uint8Array): boolean => {
  const end = latin1.decode(bytes.subarray(-65_600))
  const entry = end.indexOf('PK\u0001\u0002')
  return entry >= 0 && end.lastIndexOf('PK\u0005\u0006') > entry
}

/**
 * The two formats of a file that one program opens as one and another as the other, if it is such a file. A sender can
 * show different content to each. A zip that is called one may begin with a PDF, which it then
 * contains, and JSON that is called JSON may mention one.
 */
export const twoFormatsOf = (name: string, bytes: Uint8Array): readonly [string, string] | undefined => {
  const start = latin1.decode(bytes.subarray(0, 1_024))
  const [before = '', pdf] = start.split('%PDF-')
  if (pdf !== undefined) {
    if (start.startsWith('PK')) return /\.zip$/i.test(name) ? undefined : ['PDF', 'ZIP']
    if (/^\s*[[{]/.test(before)) return /\.json$/i.test(name) ? undefined : ['PDF', 'JSON']
    if (before.includes('<')) return ['PDF', 'HTML']
    if (endsAsZip(bytes)) return ['PDF', 'ZIP']
  }
  if (!/\.x?html?$/i.test(name)) return undefined
  if (pdf !== undefined) return ['PDF', 'HTML']
  return /^\s*[[{]/.test(start) ? ['JSON', 'HTML'] : undefined
}
