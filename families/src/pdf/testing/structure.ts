import { inflateSync } from 'node:zlib'

/** The objects of a PDF as text, also those in object streams. */
export const objectsOf = (pdf: Uint8Array): string => {
  const bytes = Buffer.from(pdf)
  const file = bytes.toString('latin1')
  const packed = [...file.matchAll(/\/Type \/ObjStm[^]*?\/Length (\d+)>>\nstream\n/g)].map((found) => {
    const start = found.index + found[0].length
    return inflateSync(bytes.subarray(start, start + Number(found[1]))).toString('latin1')
  })
  return [file, ...packed].join('\n')
}

/** Requirements of PDF/A-3a and PDF/UA-1 that can be seen in the text of the objects; veraPDF checks all others. */
const rules: readonly (readonly [rule: string, isMet: (pdf: string) => boolean])[] = [
  ['is a PDF 1.7', (pdf) => pdf.startsWith('%PDF-1.7')],
  ['has an ID', (pdf) => /\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/.test(pdf)],
  ['is not encrypted', (pdf) => !pdf.includes('/Encrypt')],
  ['declares PDF/A part 3', (pdf) => pdf.includes('<pdfaid:part>3</pdfaid:part>')],
  ['declares conformance A', (pdf) => pdf.includes('<pdfaid:conformance>A</pdfaid:conformance>')],
  ['declares PDF/UA', (pdf) => pdf.includes('<pdfuaid:part>1</pdfuaid:part>')],
  ['shows its title', (pdf) => pdf.includes('/DisplayDocTitle true')],
  ['has an output intent', (pdf) => /\/S \/GTS_PDFA1[^]*?\/DestOutputProfile \d+ 0 R/.test(pdf)],
  ['declares its language', (pdf) => /\/Lang \([a-z]{2,3}\)\/StructTreeRoot/.test(pdf)],
  ['is marked as tagged', (pdf) => /\/MarkInfo <<\/Marked true/.test(pdf)],
  ['has headings', (pdf) => pdf.includes('/S /H1/') && pdf.includes('/S /H2/')],
  [
    'has tables with heads and cells',
    (pdf) => ['Table', 'TH', 'TD'].every((tag) => pdf.includes(`/S /${tag}/`)),
  ],
  ['has the certificate as its source', (pdf) => isSource(pdf)],
  ['lists its files as associated', (pdf) => /\/AF \[\d+ 0 R/.test(pdf)],
  ['has only embedded fonts', (pdf) => fontDescriptors(pdf).every((font) => /\/FontFile2 \d/.test(font))],
  ['has only subsets of fonts', (pdf) => fontDescriptors(pdf).every((font) => /\/[A-Z]{6}\+/.test(font))],
  ['has fonts', (pdf) => fontDescriptors(pdf).length > 0],
  ['contains no actions', (pdf) => !/\/(?:JavaScript|JS|Launch|OpenAction)\b/.test(pdf)],
]

/** The requirements that a PDF, given as its objects, does not meet. */
export const brokenRules = (objects: string): string[] =>
  rules.filter(([, isMet]) => !isMet(objects)).map(([rule]) => rule)

export const ruleNames: readonly string[] = rules.map(([rule]) => rule)

const fontDescriptors = (pdf: string): string[] => pdf.match(/\/Type \/FontDescriptor.*/g) ?? []

const isSource = (pdf: string): boolean =>
  (pdf.match(/\/Type \/Filespec.*/g) ?? []).some(
    (found) => found.includes('/F (certificate.json)') && found.includes('/AFRelationship /Source'),
  )
