import { join } from 'node:path'
import { inventedJson } from '../../../families/test/invented-certificate.ts'
import {
  createRegistry,
  readCertificate,
  renderHtml,
  toDocument,
  validate,
} from '../../../families/src/index.ts'
import type { Measurement, Row } from '../row.ts'
import { inTurn, medianOf, ratioRow } from '../statistics.ts'

const different = 300
/** Ours are so short that a hundred of them are over before their code is compiled. */
const repetitions = { ours: 1_500, theirs: 150 }

/** What one certificate of EN 10168 costs: two languages, two heats of fifteen elements, each with its tests. */
export const html: Measurement = {
  name: 'html',
  async measure({ say }) {
    const ours = await openOurs()
    const peer = await openPeer(say)
    const rounds = await inTurn({
      read: () => perCall(repetitions.ours, (number) => void readCertificate(bytesOf(number))),
      validate: () => perCall(repetitions.ours, (number) => ours.validate(number)),
      page: () => perCall(repetitions.ours, (number) => void ours.page(number)),
      peer: async () => (peer === undefined ? undefined : perCall(repetitions.theirs, peer)),
    })
    const milliseconds = (what: string, of: (round: (typeof rounds)[number]) => number): Row => ({
      what,
      value: medianOf(rounds, of),
      unit: 'ms',
    })
    return [
      milliseconds('bytes → read, canonical, hashed', ({ read }) => read),
      milliseconds('… and validated', (round) => round.validate),
      milliseconds('read certificate → HTML', ({ page }) => page),
      ...(peer === undefined
        ? []
        : [
            milliseconds('the same by @s1seven/schema-tools-generate-html', (round) => round.peer ?? 0),
            {
              ...ratioRow('HTML, theirs : ours', rounds, (round) => (round.peer ?? 0) / round.page),
              goal: { atLeast: 20 },
            },
          ]),
    ]
  },
}

const openOurs = async () => {
  const log = { warn: (_: object, message: string) => process.stderr.write(`${message}\n`) }
  const registry = createRegistry({ packFolders: [], log })
  const entry = await registry.find(readCertificate(bytesOf(0)).refSchemaUrl)
  if (entry === undefined) throw new Error('The schema of the certificate is missing')
  const certificates = numbers.map((number) => readCertificate(bytesOf(number)))
  return {
    validate: (number: number): void => {
      const findings = validate(readCertificate(bytesOf(number)), entry)
      if (findings.length > 0) throw new Error(`The certificate is not valid: ${findings[0]?.reason}`)
    },
    page: (number: number): string => {
      const certificate = certificates[number]
      if (certificate === undefined) throw new Error('There is no such certificate')
      return renderHtml(toDocument(certificate, entry), {
        mode: 'live',
        hash: certificate.hash,
        verifyUrl: 'https://example.org/verify',
      })
    },
  }
}

type GenerateHtml = (certificate: object, options: object) => Promise<string>

/**
 * The npm package of the original system, where it is installed. Its templates are not in it but on its server, so it is
 * given small ones of ours, which spare it work.
 */
const openPeer = async (
  say: (text: string) => void,
): Promise<((number: number) => Promise<void>) | undefined> => {
  const name: string = '@s1seven/schema-tools-generate-html'
  const peer = (await import(name).catch(() => undefined)) as { generateHtml: GenerateHtml } | undefined
  if (peer === undefined) {
    say(`${name} is not installed: npm install in bench/ brings it`)
    return undefined
  }
  const folder = join(import.meta.dirname, '../peer')
  const partial = (file: string) => join(folder, `${file}.hbs`)
  const names = ['transaction', 'company', 'inspection', 'measurement']
  const { default: translations } = (await import('../../../families/src/families/en10168/labels.json', {
    with: { type: 'json' },
  })) as { default: Readonly<Record<string, unknown>> }
  const labels = { EN: { Certificate: translations['EN'] }, DE: { Certificate: translations['DE'] } }
  const parsed = numbers.map((number) => JSON.parse(bytesOf(number).toString()) as object)
  return async (number) => {
    const page = await peer.generateHtml(parsed[number] ?? {}, {
      templatePath: partial('certificate'),
      partialsMap: Object.fromEntries(names.map((file) => [file, partial(file)])),
      translations: labels,
      extraTranslations: {},
    })
    if (!page.includes('Streck')) throw new Error('The package of the original system wrote no certificate')
  }
}

const numbers = Array.from({ length: different }, (_, number) => number)

const perCall = async (times: number, work: (number: number) => void | Promise<void>): Promise<number> => {
  const startedMs = performance.now()
  for (let turn = 0; turn < times; turn += 1) await work(turn % different)
  return (performance.now() - startedMs) / times
}

const symbols = ['C', 'Si', 'Mn', 'P', 'S', 'Al', 'Cr', 'Ni', 'Mo', 'Cu', 'V', 'Ti', 'N', 'B', 'CEV']

const inspection = (number: number) => ({
  C00: `H-${number}`,
  C02: 'longitudinal',
  C03: '-20 °C',
  ChemicalComposition: Object.fromEntries(
    symbols.map((Symbol, index) => [
      `C${index + 71}`,
      {
        Symbol,
        Unit: '%',
        Actual: { Value: `0.${100 + index + (number % 50)}` },
        Maximum: { Value: '0.900' },
      },
    ]),
  ),
  TensileTest: {
    C11: { Value: 350 + number, Unit: 'MPa' },
    C12: { Value: 480 + number, Unit: 'MPa' },
    C13: { Value: 29.7, Unit: '%' },
  },
  NotchedBarImpactTest: {
    C40: 'KV',
    C42: [71, 84, 85].map((value) => ({ Value: value + number, Unit: 'J' })),
    C43: { Value: 80 + number, Unit: 'J' },
  },
})

/** Another certificate for each number, so that nothing is answered from memory. */
const bytesOf = (number: number): Buffer =>
  Buffer.from(JSON.stringify(inventedJson({ inspection: [inspection(number), inspection(number + 1)] })))
