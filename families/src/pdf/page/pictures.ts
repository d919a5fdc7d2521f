import { hash } from 'node:crypto'
import { because } from '@millseal/contract/reasons'
import { type Image, imageOfJpeg, imageOfPng, type PdfDocument } from '@millseal/pdf'
import type { Block, DocumentModel, MissingPicture, Picture, Text } from '../../model/document.ts'
import { decodePicture } from '../../pictures/read-picture.ts'
import { PdfError } from '../request.ts'
import { deflate, inflate } from './zlib.ts'

/** A picture on the page. Without an image, its alternative text is shown. */
export type PagePicture = {
  readonly alternative: Text
  readonly image?: { readonly resource: string; readonly ratio: number }
}

export type Pictures = (picture: Picture | MissingPicture) => PagePicture

/** Reads all pictures of a document. Throws if one is damaged: mapping replaces those of a certificate by their texts. */
export const readImages = async (document: DocumentModel): Promise<ReadonlyMap<string, Image>> => {
  const images = new Map<string, Image>()
  for (const picture of picturesOf(document)) {
    if ('missing' in picture || images.has(picture.base64)) continue
    images.set(picture.base64, await readImage(picture.base64))
  }
  return images
}

/** Adds each picture to the PDF when it is drawn for the first time. */
export const createPictures = (images: ReadonlyMap<string, Image>, pdf: PdfDocument): Pictures => {
  const added = new Map<Image, string>()
  return (picture) => {
    if ('missing' in picture) return { alternative: picture.missing }
    const { alternative, base64 } = picture
    const image = images.get(base64)
    if (image === undefined) return { alternative }
    const resource = added.get(image) ?? pdf.addImage(image)
    added.set(image, resource)
    return { alternative, image: { resource, ratio: image.width / image.height } }
  }
}

const picturesOf = ({ logo, sections }: DocumentModel): readonly (Picture | MissingPicture)[] => {
  const isPicture = (block: Block) => (block.kind === 'picture' ? [block.picture] : [])
  const inSections = sections.flatMap(({ blocks }) => blocks.flatMap(isPicture))
  return logo === undefined ? inSections : [logo, ...inSections]
}

const maxCached = 32
const cache = new Map<string, Image>()

/**
 * A mill uses the same logo and stamp in every certificate: what had to be compressed is cached. By hash, because the
 * texts of pictures are long.
 */
const readImage = async (base64: string): Promise<Image> => {
  const key = hash('sha256', base64)
  const known = cache.get(key)
  if (known !== undefined) return known
  const image = await imageOf(base64)
  if (image.content.kind !== 'deflated') return image
  cache.set(key, image)
  const [oldest] = cache.keys()
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
  return image
}

const imageOf = async (base64: string): Promise<Image> => {
  const picture = decodePicture(base64)
  if ('flaw' in picture) throw new PdfError('refused', because('picture_of_document', { flaw: picture.flaw }))
  const { type, bytes } = picture
  const image = type === 'image/jpeg' ? imageOfJpeg(bytes) : await imageOfPng(bytes, { inflate, deflate })
  if (image === undefined)
    throw new PdfError('refused', because('picture_of_document', { flaw: because('picture_damaged') }))
  return image
}
