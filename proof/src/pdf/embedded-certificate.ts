import { findBytes, needle } from './find-bytes.ts'
import { type Budget, inflate } from './inflate.ts'

export type EmbeddedCertificateLimits = {
  /** The maximum size of a PDF. */
  readonly mostFileBytes: number
  /** The maximum size of all decompressed data together. */
  readonly mostBytes: number
}

const mebibyte = 1_024 * 1_024
const usualLimits: EmbeddedCertificateLimits = { mostFileBytes: 32 * mebibyte, mostBytes: 11 * mebibyte }

const mostCandidates = 16
const mostMatches = 200
/** The maximum length of the dictionary of an embedded file. */
const dictionaryLength = 1_024

const embeddedFile = needle('/EmbeddedFile')
const certificateName = needle('(certificate.json)')
const endOfStream = needle('endstream')

type Candidate = { readonly dictionary: string; readonly dataAt: number; readonly isNamed: boolean }

/**
 * Returns the exact bytes of the certificate inside a PDF, even if other software has saved the PDF again. This says
 * nothing about the PDF itself. The file is searched, not parsed: an embedded file is a stream, and streams are never
 * inside of others (ISO 32000-1 §7.5.7). Undefined if there is no readable certificate; never throws.
 */
export const extractEmbeddedCertificate = async (
  pdf: Uint8Array,
  { mostFileBytes, mostBytes }: EmbeddedCertificateLimits = usualLimits,
): Promise<Uint8Array | undefined> => {
  if (pdf.length > mostFileBytes || !textAt(pdf, 0, 5).startsWith('%PDF-')) return undefined
  const budget: Budget = { left: mostBytes, toSearch: pdf.length }
  for (const candidate of findCandidates(pdf)) {
    const data = dataOf(pdf, candidate, budget)
    const bytes = data === undefined ? undefined : await decode(data, candidate.dictionary, budget)
    if (bytes !== undefined && isObject(bytes)) return bytes
    if (budget.left < 0 || budget.toSearch < 0) return undefined
  }
  return undefined
}

const textAt = (pdf: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...pdf.subarray(Math.max(0, from), Math.max(0, to)))

/** First the file named certificate.json, then other files with the type JSON. */
const findCandidates = (pdf: Uint8Array): Candidate[] => {
  const named = namedObject(pdf)
  const found: Candidate[] = []
  let at = findBytes(pdf, embeddedFile, 0)
  for (let seen = 0; at >= 0 && found.length < mostCandidates && seen < mostMatches; seen += 1) {
    const candidate = candidateAt(pdf, at, named)
    if (candidate !== undefined) found.push(candidate)
    at = findBytes(pdf, embeddedFile, at + 1)
  }
  return found.toSorted((one, other) => Number(other.isNamed) - Number(one.isNamed))
}

/** The object of the file specification with this name, unless it is inside an object stream. */
const namedObject = (pdf: Uint8Array): string | undefined => {
  const at = findBytes(pdf, certificateName, 0)
  if (at < 0) return undefined
  const before = textAt(pdf, at - dictionaryLength, at)
  const after = textAt(pdf, at, at + dictionaryLength)
  const dictionary =
    before.slice(Math.max(0, before.lastIndexOf(' obj'))) + (after.split('endobj', 1)[0] ?? '')
  return /\/EF\s{0,9}<<[^>]{0,200}?\/F\s{1,9}(\d{1,10})\s{1,9}\d{1,5}\s{1,9}R/.exec(dictionary)?.[1]
}

const candidateAt = (pdf: Uint8Array, at: number, named: string | undefined): Candidate | undefined => {
  const before = textAt(pdf, at - dictionaryLength, at)
  const after = textAt(pdf, at, at + dictionaryLength)
  const start = before.lastIndexOf(' obj')
  const stream = /stream\r?\n/.exec(after)
  if (start < 0 || stream === null || !/^\/EmbeddedFile\b/.test(after)) return undefined
  const dictionary = before.slice(start + 4) + after.slice(0, stream.index)
  if (dictionary.includes('endobj')) return undefined
  const number = /(\d{1,10})\s\d{1,5}$/.exec(before.slice(Math.max(0, start - 20), start))?.[1]
  const isNamed = named !== undefined && number === named
  if (!isNamed && !/\/Subtype\s{0,9}\/application#2[Ff]json/.test(dictionary)) return undefined
  return { dictionary, dataAt: at + stream.index + stream[0].length, isNamed }
}

/** The length in the dictionary; if that is a reference, up to the keyword at the end. */
const dataOf = (
  pdf: Uint8Array,
  { dictionary, dataAt }: Candidate,
  budget: Budget,
): Uint8Array | undefined => {
  const length = Number(/\/Length\s{1,9}(\d{1,10})(?![\d\s]*\sR)/.exec(dictionary)?.[1])
  if (/^\s{0,2}endstream/.test(textAt(pdf, dataAt + length, dataAt + length + 12))) {
    return pdf.subarray(dataAt, dataAt + length)
  }
  const end = findBytes(pdf, endOfStream, dataAt)
  budget.toSearch -= (end < 0 ? pdf.length : end) - dataAt
  if (end < 0) return undefined
  const lineEnd = /(?:\r\n|[\r\n])?$/.exec(textAt(pdf, Math.max(dataAt, end - 2), end))?.[0].length ?? 0
  return pdf.subarray(dataAt, end - lineEnd)
}

const decode = async (
  data: Uint8Array,
  dictionary: string,
  budget: Budget,
): Promise<Uint8Array | undefined> => {
  if (/\/(?:DecodeParms|Crypt)\b/.test(dictionary)) return undefined
  const filters = /\/Filter\s{0,9}(?<only>\/\w+)|\/Filter\s{0,9}\[\s{0,9}(?<first>\/\w+)\s{0,9}\]/.exec(
    dictionary,
  )
  if (filters === null && !dictionary.includes('/Filter')) {
    budget.left -= data.length
    return budget.left < 0 ? undefined : new Uint8Array(data)
  }
  const filter = filters?.groups?.['only'] ?? filters?.groups?.['first']
  return filter === '/FlateDecode' ? inflate(data, budget) : undefined
}

/** Whether the text starts like a JSON object. */
const isObject = (bytes: Uint8Array): boolean =>
  bytes.find((byte) => ![0x20, 0x0a, 0x0d, 0x09].includes(byte)) === 0x7b
