import { join } from 'node:path'
import type { Report } from './row.ts'

/** A renderer of the original system, from npm. Its templates are on its server, so it gets ours. */
type Peer = Readonly<Record<string, (certificate: object, options: object) => Promise<string | Buffer>>>

/** Undefined if the package is not installed. */
export const openPeer = async (
  report: Report,
  { name, verb }: { readonly name: string; readonly verb: 'generateHtml' | 'generatePdf' },
): Promise<((json: Buffer) => Promise<string | Buffer>) | undefined> => {
  const render = ((await import(name).catch(() => ({}))) as Peer)[verb]
  if (render === undefined) {
    report.skip(`${name} is not installed; run npm install in bench/`)
    return undefined
  }
  const { default: labels } = (await import('../../families/src/families/en10168/labels.json', {
    with: { type: 'json' },
  })) as { default: Readonly<Record<string, unknown>> }
  const file = (template: string) => join(import.meta.dirname, 'peer', template)
  const styles = { h4: { fontSize: 10, bold: true }, p: { fontSize: 8 }, caption: { fontSize: 7 } }
  const options = {
    translations: { EN: { Certificate: labels['EN'] }, DE: { Certificate: labels['DE'] } },
    extraTranslations: {},
    templatePath: file('certificate.hbs'),
    partialsMap: { section: file('section.hbs'), measurement: file('measurement.hbs') },
    generatorPath: file('generate-pdf.cjs'),
    docDefinition: { styles },
    attachCertificate: true,
    a3Compliant: true,
    title: 'Certificate',
  }
  // The packages write into their options.
  return (json) => render(JSON.parse(json.toString()) as object, structuredClone(options))
}
