import { join } from 'node:path'
import { inventedJson } from '../../../families/test/invented-certificate.ts'
import { realCertificate, withoutRealCertificates } from '../../../families/test/real-certificates.ts'
import { createRegistry, readCertificate, toDocument } from '../../../families/src/index.ts'
import type { Measurement, Row } from '../row.ts'
import { medianOf } from '../statistics.ts'

const repetitions = 12
const warmingUp = 4

/**
 * What one PDF of EN 10168 costs, from the certificate. Ours and theirs in turn in this process, by processor time:
 * whatever else the machine does meets both alike.
 */
export const pdf: Measurement = {
  name: 'pdf',
  async measure({ say }) {
    const ours = await openOurs()
    const peer = await openPeer(say)
    const measured: { ours: number; peer: number }[] = []
    for (let number = 0; number < repetitions; number += 1) {
      measured.push({
        ours: await processorMs(() => ours(number)),
        peer: peer === undefined ? 0 : await processorMs(() => peer(number)),
      })
    }
    const warm = measured.slice(warmingUp)
    const row = (what: string, of: (one: (typeof warm)[number]) => number): Row => ({
      what,
      value: medianOf(warm, of),
      unit: 'ms',
      note: 'processor time',
    })
    return [
      row('certificate → PDF/A-3a', (one) => one.ours),
      ...(peer === undefined
        ? []
        : [
            row('the same by @s1seven/schema-tools-generate-pdf', (one) => one.peer),
            {
              what: 'PDF, theirs : ours',
              value: medianOf(warm, (one) => one.peer) / medianOf(warm, (one) => one.ours),
              unit: '×' as const,
              goal: { atLeast: 5 },
            },
          ]),
    ]
  },
}

const processorMs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const openOurs = async () => {
  // As in the processes of the server, whose engine has one thread.
  process.env['RAYON_NUM_THREADS'] = '1'
  const { layouts } = await import('../../../families/src/families/index.ts')
  const { openRender } = await import('../../../families/src/pdf/typst/render.ts')
  const render = openRender(layouts)
  const log = { warn: (_: object, message: string) => process.stderr.write(`${message}\n`) }
  const entry = await createRegistry({ packFolders: [], log }).find(readCertificate(bytesOf(0)).refSchemaUrl)
  if (entry === undefined) throw new Error('The schema of the certificate is missing')
  return (number: number) => {
    const certificate = readCertificate(bytesOf(number))
    const { bytes: certificateBytes, hash } = certificate
    const verifyUrl = `https://example.org/verify/${hash}`
    const document = toDocument(certificate, entry)
    return render({ document, mode: 'live', certificateBytes, hash, verifyUrl })
  }
}

type GeneratePdf = (certificate: object, options: object) => Promise<Buffer>

const styles = {
  h4: { fontSize: 10, bold: true },
  p: { fontSize: 8 },
  caption: { fontSize: 7 },
  table: { fontSize: 8 },
}

const openPeer = async (
  say: (text: string) => void,
): Promise<((number: number) => Promise<void>) | undefined> => {
  const name: string = '@s1seven/schema-tools-generate-pdf'
  const peer = (await import(name).catch(() => undefined)) as { generatePdf: GeneratePdf } | undefined
  if (peer === undefined) {
    say(`${name} is not installed: npm install in bench/ brings it`)
    return undefined
  }
  const { default: translations } = (await import('../../../families/src/families/en10168/labels.json', {
    with: { type: 'json' },
  })) as { default: Readonly<Record<string, unknown>> }
  return async (number) => {
    const bytes = await peer.generatePdf(JSON.parse(bytesOf(number).toString()) as object, {
      generatorPath: join(import.meta.dirname, '../peer/generate-pdf.cjs'),
      docDefinition: { styles },
      translations: { EN: { Certificate: translations['EN'] }, DE: { Certificate: translations['DE'] } },
      attachCertificate: true,
      a3Compliant: true,
      title: 'Certificate',
    })
    if (bytes.length < 10_000) throw new Error('The package of the original system wrote no certificate')
  }
}

const schemaUrl = 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json'

/** A published certificate in two languages, where they lie beside the checkout; else an invented one, which is shorter. */
const certificateText = withoutRealCertificates
  ? JSON.stringify(inventedJson())
  : realCertificate('en10168/v0.5.0/valid_certificate_2.json').toString()

/** Another certificate for each number, its figures changed, so that nothing is answered from memory. */
const bytesOf = (number: number): Buffer =>
  Buffer.from(
    JSON.stringify(
      JSON.parse(certificateText, (key, value: unknown) => {
        if (key === 'RefSchemaUrl') return schemaUrl
        const isFigure =
          typeof value === 'string' && value.length < 60 && /\d$/.test(value) && !isDate.test(value)
        return isFigure ? value.slice(0, -1) + String(number % 10) : value
      }),
    ),
  )

const isDate = /^\d{4}-\d\d-\d\d/
