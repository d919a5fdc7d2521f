import { deflateSync } from 'node:zlib'
import { createPdfDocument, type PdfDocument, type PdfOptions } from '../src/document/pdf-document.ts'

export const metadata = {
  title: 'A title',
  description: 'A description',
  keywords: 'one, two',
  language: 'en',
  day: '2026-01-31',
}

/** A document for tests, with one attachment unless there are others. */
export const openDocument = (options: Partial<PdfOptions> = {}): PdfDocument =>
  createPdfDocument({
    size: { width: 300, height: 200 },
    metadata,
    attachments: [
      {
        name: 'data.json',
        type: 'application/json',
        description: 'The data',
        relationship: 'Source',
        bytes: new TextEncoder().encode('{"a":1}'),
      },
    ],
    id: '0123456789abcdef'.repeat(2),
    deflate: (bytes) => deflateSync(bytes),
    ...options,
  })
