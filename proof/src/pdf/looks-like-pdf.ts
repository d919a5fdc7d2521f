const pdfMark = '%PDF-'

/** PDF software accepts the marker anywhere in the first KiB. JSON can contain it in a string. */
export const looksLikePdf = (bytes: Uint8Array): boolean => {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  return head.includes(pdfMark) && !/^(?:\xef\xbb\xbf)?[ \t\n\r]*\{/.test(head)
}
