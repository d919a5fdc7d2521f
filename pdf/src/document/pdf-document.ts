import { ByteWriter } from '../objects/byte-writer.ts'
import { array, dictionary, literal, name, number, type Source, text } from '../objects/source.ts'
import {
  createObjectFile,
  type Deflate,
  type ObjectFile,
  type Reference,
  refer,
  type Stream,
} from '../objects/object-file.ts'
import type { Signature } from '../objects/signature.ts'
import type { Image } from '../pictures/image.ts'
import { writeImage } from '../pictures/write-image.ts'
import { createStructure, type Structure } from '../tagging/structure.ts'
import { type Attachment, writeAttachments } from './attachments.ts'
import { srgbProfile } from './colour-profile.ts'
import { type Metadata, xmpOf } from './metadata.ts'
import { createPage, type Page, type Rectangle, type WrittenPage } from './page.ts'
import { createPageFonts } from './page-fonts.ts'

/** A tagged PDF that is a PDF/A-3a and a PDF/UA-1. The same calls give the same bytes. */
export type PdfDocument = {
  readonly structure: Structure
  readonly addPage: () => Page
  /** The name of an image for `Page.picture`. */
  readonly addImage: (image: Image) => string
  /** The same for black rectangles in a square with sides of this length. */
  readonly addShape: (size: number, rectangles: readonly Rectangle[]) => string
  readonly toBytes: () => Promise<Uint8Array>
}

export type PdfOptions = {
  readonly size: { readonly width: number; readonly height: number }
  readonly metadata: Metadata
  readonly attachments: readonly Attachment[]
  /** 32 hexadecimal digits that tell this file from others. */
  readonly id: string
  readonly deflate: Deflate
  /** Leaves room for a signature of the whole file. */
  readonly signature?: Omit<Signature, 'reference'> | undefined
}

export const createPdfDocument = (options: PdfOptions): PdfDocument => {
  const { size, metadata, attachments, id, deflate } = options
  const file = createObjectFile(deflate)
  const structure = createStructure(file)
  const fonts = createPageFonts()
  const pages: WrittenPage[] = []
  const images = new Map<string, Reference>()
  return {
    structure,
    addPage: () => {
      const page = createPage(file.allocate(), size.height, fonts)
      pages.push(page)
      return page
    },
    addImage: (image) => {
      const resource = `P${images.size + 1}`
      images.set(resource, writeImage(file, image))
      return resource
    },
    addShape: (side, rectangles) => {
      const resource = `P${images.size + 1}`
      images.set(resource, file.addStream(shapeOf(side, rectangles)))
      return resource
    },
    toBytes: async () => {
      const profile = file.addStream({ entries: { N: 3 }, bytes: srgbProfile() })
      const signature = options.signature && { ...options.signature, reference: file.allocate() }
      const field = signature && writeField(file, signature, pages)
      const pageTree = writePages(file, { pages, images, profile, fonts: fonts.write(file), size, field })
      const structureTree = structure.write(pages.map(({ marked }) => marked))
      const info = file.add(infoOf(metadata))
      const { embedded, associated } = writeAttachments(file, attachments, dateOf(metadata))
      const root = file.add(
        dictionary({
          Type: '/Catalog',
          Pages: refer(pageTree),
          Metadata: refer(writeXmp(file, metadata)),
          OutputIntents: array([outputIntent(profile)]),
          Lang: text(metadata.language),
          StructTreeRoot: refer(structureTree),
          MarkInfo: dictionary({ Marked: 'true' }),
          ViewerPreferences: dictionary({ DisplayDocTitle: 'true' }),
          Names: dictionary({ EmbeddedFiles: embedded }),
          AF: associated,
          AcroForm: field && dictionary({ Fields: array([field]), SigFlags: 3 }),
        }),
      )
      return file.toBytes({ root, info, id, signature })
    },
  }
}

/** A drawing in a square of 1 by 1, as pictures are. */
const shapeOf = (side: number, rectangles: readonly Rectangle[]): Stream => {
  const output = new ByteWriter()
  output.source('0 g ')
  for (const { x, y, width, height } of rectangles) {
    output.numbers(x, y, width, height)
    output.source(' re ')
  }
  output.source('f')
  return {
    entries: {
      Type: '/XObject',
      Subtype: '/Form',
      BBox: array([0, 0, side, side]),
      Matrix: array([1 / side, 0, 0, -1 / side, 0, 1].map((part) => part.toFixed(6))),
    },
    bytes: output.written,
  }
}

/** Not compressed, so that programs which only look for the standards find them. */
const writeXmp = (file: ObjectFile, metadata: Metadata): Reference =>
  file.addStream({
    entries: { Type: '/Metadata', Subtype: '/XML' },
    bytes: xmpOf(metadata),
    as: 'plain',
  })

const dateOf = ({ day }: Metadata): Source => literal(`D:${day.replaceAll('-', '')}000000Z`)

const infoOf = (metadata: Metadata): Source =>
  dictionary({
    Title: text(metadata.title),
    Author: metadata.author === undefined ? undefined : text(metadata.author),
    Subject: text(metadata.description),
    Keywords: text(metadata.keywords),
    Producer: literal('Millseal'),
    CreationDate: dateOf(metadata),
    ModDate: dateOf(metadata),
  })

const outputIntent = (profile: Reference): Source =>
  dictionary({
    Type: '/OutputIntent',
    S: '/GTS_PDFA1',
    OutputConditionIdentifier: literal('sRGB'),
    Info: literal('sRGB'),
    DestOutputProfile: refer(profile),
  })

type Pages = {
  readonly pages: readonly WrittenPage[]
  readonly images: ReadonlyMap<string, Reference>
  readonly profile: Reference
  readonly fonts: Source
  readonly size: PdfOptions['size']
  /** Of the signature, on the first page. */
  readonly field: Source | undefined
}

/** Nothing is drawn for the field: it has no area, and is printed and locked (flags 4 and 128), as PDF/A demands. */
const writeField = (
  file: ObjectFile,
  { reference, signer }: { readonly reference: Reference; readonly signer: string },
  [page]: readonly WrittenPage[],
): Source =>
  refer(
    file.add(
      dictionary({
        Type: '/Annot',
        Subtype: '/Widget',
        FT: '/Sig',
        T: literal('Seal'),
        TU: text(`Seal of ${signer}`),
        F: 132,
        Rect: array([0, 0, 0, 0]),
        P: page && refer(page.reference),
        V: refer(reference),
      }),
    ),
  )

const writePages = (file: ObjectFile, { pages, images, profile, fonts, size, field }: Pages): Reference => {
  const tree = file.allocate()
  const fontResources = refer(file.add(fonts))
  const colours = dictionary({ DefaultRGB: array(['/ICCBased', refer(profile)]) })
  for (const [index, page] of pages.entries()) {
    const drawn = [...page.pictures].flatMap((resource) => {
      const image = images.get(resource)
      return image === undefined ? [] : [[resource, refer(image)] as const]
    })
    file.assign(
      page.reference,
      dictionary({
        Type: '/Page',
        Parent: refer(tree),
        MediaBox: array([0, 0, number(size.width), number(size.height)]),
        Contents: refer(file.addStream({ bytes: page.content() })),
        StructParents: index,
        Tabs: name('S'),
        Annots: index === 0 && field !== undefined ? array([field]) : undefined,
        Resources: dictionary({
          Font: fontResources,
          ColorSpace: colours,
          XObject: drawn.length === 0 ? undefined : dictionary(Object.fromEntries(drawn)),
        }),
      }),
    )
  }
  file.assign(
    tree,
    dictionary({
      Type: '/Pages',
      Kids: array(pages.map(({ reference }) => refer(reference))),
      Count: pages.length,
    }),
  )
  return tree
}
