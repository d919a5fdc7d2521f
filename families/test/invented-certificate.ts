import { deflateSync } from 'node:zlib'
import type { JsonValue } from '@millseal/proof'
import { type Certificate, readCertificate } from '../src/certificate/read-certificate.ts'
import { forgedPng } from './forged-png.ts'

/** A PNG of one grey pixel. */
export const pixel = (): string => forgedPng({ data: deflateSync(Buffer.from([0, 128])) }).toString('base64')

const company = (name: string, vat: string) => ({
  Name: name,
  Street: ['Works Road 1'],
  ZipCode: '1000',
  City: 'Exampleton',
  Country: 'AT',
  Emails: [`${name.toLowerCase().replaceAll(' ', '.')}@example.org`],
  Identifiers: { VAT: vat, DUNS: '123456789' },
})

export type Changes = {
  readonly transaction?: JsonValue
  readonly product?: JsonValue
  readonly inspection?: JsonValue
  readonly otherTests?: JsonValue
  readonly validation?: JsonValue
  readonly languages?: readonly string[]
}

/** An invented EN 10168 certificate, valid under the built-in schema. */
export const inventedJson = (changes: Changes = {}) => ({
  RefSchemaUrl: 'https://schemas.millseal.org/en10168-schemas/v1.0.0/schema.json',
  Certificate: {
    CertificateLanguages: changes.languages ?? ['EN', 'DE'],
    CommercialTransaction: changes.transaction ?? {
      A01: company('Example Mill', 'ATU12345678'),
      A02: 'EN 10204 3.1',
      A03: 'C-1',
      A04: pixel(),
      A05: 'Works inspection',
      'A06.1': company('Example Buyer', 'DE123456789'),
      'A06.3': company('Example Store', 'DE987654321'),
      A07: 'PO-7',
      A97: '10',
      A98: 'DN-3',
    },
    ProductDescription: changes.product ?? {
      B01: 'Round bar',
      B02: 'EN 10025-2 S355J2',
      B07: ['B-1'],
    },
    ...(changes.inspection === undefined ? {} : { Inspection: changes.inspection }),
    ...(changes.otherTests === undefined ? {} : { OtherTests: changes.otherTests }),
    Validation: changes.validation ?? {
      Z01: 'The product conforms to the order.',
      Z02: '2026-01-31',
      Z03: { Name: 'Inspector One', Title: 'Works inspection' },
    },
  },
})

export const certificateOf = (json: unknown): Certificate =>
  readCertificate(Buffer.from(JSON.stringify(json)))

export const inventedCertificate = (changes: Changes = {}): Certificate =>
  certificateOf(inventedJson(changes))
