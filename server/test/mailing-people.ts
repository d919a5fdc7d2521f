import type { Language } from '@millseal/contract'
import type { JobKind } from '../src/ports/jobs/jobs.ts'
import type { CertificateProcess } from './certificate-service.ts'
import type { Owner } from './machines.ts'
import type { TestServer } from './test-server.ts'

/** What people of this language enter, so that any other language in their mails is ours. */
export const entered = {
  en: {
    company:
      'Steelworks & Cold Rolling Mills of Great Northumberland, Tyneside and Upper Teesdale (Holdings) Limited',
    plain: 'Teesdale Forge Limited',
    reason:
      'Manganese of heat 4711-0815 was read from the wrong line of the spectrometer, so 1.35 % was printed where 1.53 % was measured. The new certificate has the right values. ',
    product: 'Hot rolled heavy plate, normalised, pickled and oiled, cut to length, stamped on both sides',
    buyer: 'Bridge Works Limited',
    webhook: 'Quality database of the rolling mill',
  },
  de: {
    company:
      'Großkaltwalzwerk Österreichische Böhler-Müller & Söhne Präzisionsstähle Straßkirchen GmbH & Co. KG',
    plain: 'Schmiede Süßen GmbH',
    reason:
      'Mangan der Schmelze 4711-0815 wurde aus der falschen Zeile des Spektrometers gelesen, daher 1,35 % statt der gemessenen 1,53 %. Das neue Zeugnis hat die richtigen Werte. ',
    product: 'Warmgewalztes Grobblech, normalgeglüht, gebeizt und geölt, beidseitig gestempelt',
    buyer: 'Brückenbau Süd AG',
    webhook: 'Qualitätsdatenbank des Walzwerks',
  },
} as const

/** All readers of this language, and no other reader, have an address of this domain. */
export const domainOf = (language: Language): string => `${language}.example.com`

export type Sending = {
  readonly server: TestServer
  readonly deps: CertificateProcess['deps']
  readonly language: Language
}

/** A company and its admin, who read the language. */
export type From = Sending & Pick<Owner, 'admin' | 'company'>

/** As the services declare them, without their handlers. */
export const kindOf = <Data extends object>(name: string): JobKind<Data> => ({
  name,
  retries: 10,
  backoffSeconds: 5,
  expireSeconds: 60,
})
