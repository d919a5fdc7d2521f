/** Requirements of PDF/A-3a that can be checked in the text of the objects, which Typst does not compress. */
const rules: readonly (readonly [rule: string, isMet: (pdf: string) => boolean])[] = [
  ['is a PDF 1.7', (pdf) => pdf.startsWith('%PDF-1.7')],
  ['has an ID', (pdf) => /\/ID \[\([^)]+\) \([^)]+\)\]/.test(pdf)],
  ['is not encrypted', (pdf) => !pdf.includes('/Encrypt')],
  ['declares PDF/A part 3', (pdf) => pdf.includes('<pdfaid:part>3</pdfaid:part>')],
  ['declares conformance A', (pdf) => pdf.includes('<pdfaid:conformance>A</pdfaid:conformance>')],
  ['has an output intent', (pdf) => /\/DestOutputProfile \d+ 0 R\s+\/S \/GTS_PDFA1/.test(pdf)],
  ['declares its language', (pdf) => /\/Lang \([a-z]{2,3}\)\s+\/StructTreeRoot/.test(pdf)],
  ['is marked as tagged', (pdf) => /\/MarkInfo <<\s*\/Marked true/.test(pdf)],
  ['has headings', (pdf) => /\/S \/H1\b/.test(pdf) && /\/S \/H2\b/.test(pdf)],
  ['has tables with heads and cells', (pdf) => ['Table', 'TH', 'TD'].every((tag) => has(pdf, `/S /${tag}`))],
  ['has the certificate as its source', (pdf) => isSource(pdf)],
  ['lists its files as associated', (pdf) => /\/AF \[\d+ 0 R/.test(pdf)],
  ['has only embedded fonts', (pdf) => fontDescriptors(pdf).every((font) => /\/FontFile[23]? \d/.test(font))],
  ['has only subsets of fonts', (pdf) => fontDescriptors(pdf).every((font) => /\/[A-Z]{6}\+/.test(font))],
  ['has fonts', (pdf) => fontDescriptors(pdf).length > 0],
  ['contains no actions', (pdf) => !/\/(?:JavaScript|JS|Launch|OpenAction)\b/.test(pdf)],
]

/** The requirements that a PDF does not meet. */
export const brokenRules = (pdf: Uint8Array): string[] => {
  const text = Buffer.from(pdf).toString('latin1')
  return rules.filter(([, isMet]) => !isMet(text)).map(([rule]) => rule)
}

export const ruleNames: readonly string[] = rules.map(([rule]) => rule)

const has = (pdf: string, what: string): boolean => pdf.includes(`${what}\n`)

const fontDescriptors = (pdf: string): string[] =>
  [...pdf.matchAll(/\/Type \/FontDescriptor[^]*?endobj/g)].map(([found]) => found)

const isSource = (pdf: string): boolean =>
  [...pdf.matchAll(/\/Type \/Filespec[^]*?endobj/g)].some(
    ([found]) => found.includes('/F (certificate.json)') && found.includes('/AFRelationship /Source'),
  )
