import { because } from '@millseal/contract/reasons'
import { type Block, createPdfDocument, paginate, type PdfDocument } from '@millseal/pdf'
import type { DocumentModel } from '../../model/document.ts'
import type { FontLibrary } from '../fonts.ts'
import { PdfError, type PdfRequest } from '../request.ts'
import { fileList } from './files.ts'
import { area, colour, paper } from './look.ts'
import { createMargins } from './margins.ts'
import { attachmentsOf, nameFiles } from './name-files.ts'
import { parties } from './parties.ts'
import { createPictures, readImages } from './pictures.ts'
import { printableDocument } from './printable.ts'
import { qrCode } from './qr.ts'
import { section } from './section.ts'
import type { Setting } from './setting.ts'
import { technicalLine } from './technical-line.ts'
import { title } from './title.ts'
import { unusualTexts } from './unusual-texts.ts'
import { warningList } from './warnings.ts'
import { wordsIn } from './words.ts'
import { deflate } from './zlib.ts'

/** Part of the PDF metadata. Increase it whenever the same document would give different bytes. */
const rendererVersion = '10'

const defaultAccent = '#0f6e6a'

/** Draws a certificate as a PDF/A-3a and PDF/UA-1. The same request gives the same bytes. */
export const drawDocument = async (
  request: PdfRequest,
  { fonts, accent }: { readonly fonts: FontLibrary; readonly accent: string | undefined },
): Promise<Uint8Array> => {
  if (request.certificateBytes.length === 0) throw new PdfError('refused', because('certificate_empty'))
  const unusual = unusualTexts(request.document)
  const typeface = await fonts.typefaceFor(unusual)
  const document = printableDocument(request.document, { unusual, typeface })
  const files = nameFiles(document.files)
  const images = await readImages(document)
  const pdf = createPdfDocument({
    size: paper,
    metadata: metadataOf(document, request),
    attachments: attachmentsOf(request.certificateBytes, files),
    id: request.hash.slice(0, 32).padEnd(32, '0'),
    deflate,
    signature: request.signature,
  })
  const setting: Setting = {
    typeface,
    structure: pdf.structure,
    languages: document.languages.map(languageOf),
    accent: colour(document.look?.accent ?? accent ?? defaultAccent),
    pictures: createPictures(images, pdf),
  }
  const words = wordsIn(document.languages)
  const blocks: Block[] = [
    { pieces: [...title(document, setting), ...parties(document.parties, setting)] },
    ...document.sections.filter(({ role }) => role !== 'technical').map((one) => section(one, setting)),
    fileList(files, words, setting),
    warningList(document.warnings, setting),
    technicalLine(document, setting),
  ]
  const { size, rectangles } = qrCode(request.verifyUrl)
  const margins = createMargins({
    request,
    document,
    words,
    setting,
    code: pdf.addShape(size, rectangles),
  })
  drawPages(pdf, blocks, margins)
  return pdf.toBytes()
}

const drawPages = (
  pdf: PdfDocument,
  blocks: readonly Block[],
  margins: ReturnType<typeof createMargins>,
): void => {
  const pages = paginate(blocks, area.height)
  for (const [index, placed] of pages.entries()) {
    const page = pdf.addPage()
    margins.behind(page)
    for (const { piece, top, head, scale } of placed) {
      head?.draw(page, area.top + top - head.height)
      piece.draw(page, area.top + top, scale)
    }
    margins.around(page, { number: index + 1, of: pages.length })
  }
}

const metadataOf = (document: DocumentModel, { hash }: PdfRequest) => {
  const {
    title: [name = ''],
    number,
    parties: [party],
    family,
    languages,
  } = document
  return {
    title: number === undefined ? name : `${name} ${number}`,
    author: party?.name,
    description: `SHA-256 ${hash}`,
    keywords: `Millseal PDF renderer ${rendererVersion}, ${family}`,
    language: languageOf(languages[0] ?? 'en'),
    day: dayOf(document),
  }
}

/** The language code for the PDF; English if the tag is not a language. */
const languageOf = (tag: string): string => /^[a-z]{2,3}(?![a-z])/.exec(tag.toLowerCase())?.[0] ?? 'en'

/**
 * A PDF/A with attachments needs a date. Without one in the certificate it is 1970-01-01: today would change the bytes.
 */
const dayOf = ({ date }: DocumentModel): string => {
  const [day = '', year, month, dayOfMonth] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(date ?? '') ?? []
  const found = new Date(Date.UTC(Number(year), Number(month) - 1, Number(dayOfMonth)))
  const isReal = found.getUTCDate() === Number(dayOfMonth) && found.getUTCMonth() === Number(month) - 1
  return isReal && Number(year) > 999 ? day : '1970-01-01'
}
