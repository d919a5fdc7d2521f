import { join } from 'node:path'
import labels from '../../families/src/families/en10168/labels.json' with { type: 'json' }
import { withoutRealCertificates } from '../../families/test/real-certificates.ts'
import { openVariedCertificates } from '../../families/test/varied-certificates.ts'
import { Skipped } from './measuring.ts'

/** The published certificates, which are not part of the project. */
export const openPublished = async () => {
  if (withoutRealCertificates !== false) throw new Skipped(withoutRealCertificates)
  return await openVariedCertificates()
}

/** A renderer of the original system, from npm. Its templates are on its server, so it gets ours. */
export const openPeer = async (name: string, verb: 'generateHtml' | 'generatePdf') => {
  const { [verb]: render } = (await import(name)) as Readonly<
    Record<typeof verb, (certificate: object, options: object) => Promise<string | Buffer>>
  >
  const file = (template: string) => join(import.meta.dirname, 'peer', template)
  const styles = { h4: { fontSize: 10, bold: true }, p: { fontSize: 8 }, caption: { fontSize: 7 } }
  const options = {
    translations: { EN: { Certificate: labels.EN }, DE: { Certificate: labels.DE } },
    extraTranslations: {},
    templatePath: file('certificate.hbs'),
    partialsMap: { section: file('section.hbs'), measurement: file('measurement.hbs') },
    generatorPath: file('generate-pdf.cjs'),
    docDefinition: { styles },
    attachCertificate: true,
    a3Compliant: true,
    title: 'Certificate',
  }
  return async (json: Buffer): Promise<void> => {
    // The packages write into their options.
    const rendered = await render(JSON.parse(json.toString()) as object, structuredClone(options))
    if (rendered.length < 10_000) throw new Error(`${name} rendered no certificate`)
  }
}
