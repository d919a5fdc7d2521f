import type { DocumentModel } from '../model/document.ts'
import type { PdfRequest } from './request.ts'

const document: DocumentModel = {
  modelVersion: 1,
  family: 'generic',
  languages: ['en', 'de'],
  title: ['Specimen', 'Muster'],
  standard: 'EN 10204 3.1',
  number: 'SPECIMEN-1',
  date: '2000-01-01',
  parties: [
    {
      role: ['Manufacturer', 'Hersteller'],
      code: 'A01',
      name: 'Specimen',
      lines: [{ value: '–' }, { label: ['VAT', 'USt'], value: '–' }],
    },
  ],
  sections: [
    {
      title: ['Results', 'Ergebnisse'],
      blocks: [
        { kind: 'heading', text: ['Test', 'Prüfung'] },
        { kind: 'fields', fields: [{ label: ['Mass', 'Masse'], code: 'B13', value: '1.50', unit: 'kg' }] },
        {
          kind: 'table',
          table: {
            columns: [
              { label: ['Heat', 'Schmelze'], align: 'start' },
              { label: ['C'], unit: '%', align: 'end' },
            ],
            rows: [
              { cells: ['max', '0.20'], emphasis: 'requirement' },
              { cells: ['1', '0.175'] },
              { cells: ['mean', '0.1'], emphasis: 'result' },
            ],
          },
        },
        { kind: 'paragraph', text: ['A specimen says nothing.', 'Ein Muster sagt nichts aus.'] },
      ],
    },
  ],
  files: [{ name: 'note.txt', type: 'text/plain', base64: 'LQ==' }],
  warnings: [{ pointer: '/', reason: 'specimen' }],
}

/** Contains one of everything that a layout must be able to draw. */
export const specimen: PdfRequest = {
  document,
  mode: 'test',
  certificateBytes: new TextEncoder().encode('{}'),
  hash: '0'.repeat(64),
  verifyUrl: 'https://example.com/verify',
}
