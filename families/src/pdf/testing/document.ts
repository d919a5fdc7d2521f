import type { Column, DocumentModel, Field, Row } from '../../model/document.ts'
import type { Certificate } from '../../certificate/read-certificate.ts'
import type { PdfRequest } from '../request.ts'

const field = (code: string, label: readonly [string, string], value: string): Field => ({
  code,
  label,
  value,
})

const elements = ['C', 'Si', 'Mn', 'P', 'S', 'Al', 'Cr', 'Ni', 'Mo', 'Cu', 'V', 'Nb', 'Ti', 'B', 'N', 'CEV']

const chemistry = (
  heats: number,
): { readonly columns: readonly Column[]; readonly rows: readonly Row[] } => ({
  columns: [
    { label: ['Heat', 'Coulée'], align: 'start' },
    ...elements.map((label): Column => ({ label: [label], unit: '%', align: 'end' })),
  ],
  rows: [
    { cells: ['max', ...elements.map((_, at) => `0.${at + 10}`)], emphasis: 'requirement' },
    ...Array.from({ length: heats }, (__, heat) => ({
      cells: [`H-${heat + 1}`, ...elements.map((_, at) => `0.0${(heat * 7 + at * 3) % 90}`)],
    })),
  ],
})

/** 16 grey pixels. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAAAAACMmsGiAAAAEElEQVR4nGMIWBCwgAGVAABJ1AeB9/Es2wAAAABJRU5ErkJggg=='

/** An invented certificate in two languages with one of everything; `heats` sets its length. */
export const sampleDocument = (heats = 3): DocumentModel => ({
  modelVersion: 1,
  family: 'en10168',
  languages: ['en', 'fr'],
  title: ['Inspection certificate 3.1', 'Certificat de réception 3.1'],
  standard: 'EN 10204 3.1',
  number: 'S-2025/17',
  date: '2025-03-09',
  parties: [
    {
      role: ['Manufacturer', 'Producteur'],
      code: 'A01',
      name: 'Sample Works',
      lines: [{ value: 'Example Street 1' }, { label: ['VAT', 'TVA'], value: 'ATU00000000' }],
    },
  ],
  sections: [
    {
      title: ['Product', 'Produit'],
      blocks: [
        {
          kind: 'fields',
          fields: [
            field('B01', ['Product', 'Produit'], 'Heavy plate'),
            { ...field('B09', ['Thickness', 'Épaisseur'], '20.00'), unit: 'mm' },
            field('B02', ['Steel', 'Acier'], 'S355J2+N ≤ ≥ ⌀ ✓ √ 钢'),
          ],
        },
        { kind: 'heading', text: ['Chemical composition', 'Composition chimique'] },
        { kind: 'table', table: chemistry(heats) },
      ],
    },
    {
      title: ['Validation', 'Validation'],
      role: 'declaration',
      blocks: [
        { kind: 'paragraph', text: ['The goods comply with the order.', 'Conforme à la commande.'] },
        { kind: 'fields', fields: [field('Z02', ['Date', 'Date'], '2025-03-09')] },
      ],
    },
  ],
  files: [{ name: 'report.txt', type: 'text/plain', base64: 'YWxsIGlzIHdlbGw=' }],
  warnings: [],
})

export const sampleRequest = (document: DocumentModel = sampleDocument()): PdfRequest => ({
  document,
  mode: 'test',
  isDraft: false,
  // Spaces, an escape and an order of keys that serializing it again would change.
  certificateBytes: new TextEncoder().encode('{ "b": "\\u00e9",\n  "a": 1.10 }\n'),
  hash: '0123456789abcdef'.repeat(4),
  verifyUrl: `https://verify.example/certificates/${'0123456789abcdef'.repeat(4)}`,
})

/** A certificate as it is notarized in live mode. */
export const liveRequest = ({ bytes, hash }: Certificate, document: DocumentModel): PdfRequest => ({
  document,
  mode: 'live',
  isDraft: false,
  certificateBytes: bytes,
  hash,
  verifyUrl: 'https://mill.example/v/AbCdEfGhIjKlMnOpQrStUv',
})

export const silentLog = { warn: () => undefined }
