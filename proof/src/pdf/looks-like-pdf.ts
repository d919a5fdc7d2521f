const pdfMark = '%PDF-'

/** Software that reads PDF looks for its mark within the first KiB; a JSON may have it in one of its texts. */
export const looksLikePdf = (bytes: Uint8Array): boolean => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  return head.includes(pdfMark) && !/^\s*\{/.test(head)
}
