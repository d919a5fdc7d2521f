import { layouts } from '../../../families/src/families/index.ts'
import { createRegistry, readCertificate, toDocument } from '../../../families/src/index.ts'
import { startRenderProcess } from '../../../families/src/pdf/process/render-process.ts'
import { sampleCertificate } from '../../../server/test/certificates.ts'
import type { Measurement } from '../row.ts'

const early = 500
const renders = 5_000
const mebibyte = 1_024 * 1_024

/** What a rendering process holds, after as many different documents as no process of a server gets before a restart. */
export const pdfMemory: Measurement = {
  name: 'pdf-memory',
  deadlineMs: 600_000,
  async measure() {
    const log = { warn: (_: object, message: string) => process.stderr.write(`${message}\n`) }
    const registry = createRegistry({ packFolders: [], log })
    const child = startRenderProcess({ maxResidentBytes: 800 * mebibyte, layouts })
    const held: number[] = []
    try {
      for (let number = 0; number < renders; number += 1) {
        const bytes = Buffer.from(JSON.stringify(sampleCertificate()))
        const certificate = readCertificate(bytes)
        const schema = await registry.find(certificate.refSchemaUrl)
        if (schema === undefined) throw new Error('The schema of the certificate is missing')
        const { hash } = certificate
        const request = {
          document: toDocument(certificate, schema),
          mode: 'test' as const,
          certificateBytes: bytes,
          hash,
          verifyUrl: `https://example.org/verify/${hash}`,
        }
        held.push((await child.render(request, 20_000)).residentBytes / 1_000_000)
      }
    } finally {
      await child.end()
    }
    const mostOf = (from: number, to: number): number => Math.max(...held.slice(from, to))
    const [first, last] = [mostOf(0, early), mostOf(renders - early, renders)]
    return [
      {
        what: `memory of a rendering process, the first ${early} PDFs`,
        value: first,
        unit: 'MB',
        note: 'most',
      },
      { what: `… the last ${early} of ${renders}`, value: last, unit: 'MB', note: 'most' },
      { what: '… last : first', value: last / first, unit: '×', goal: { atMost: 1.15 } },
    ]
  },
}
