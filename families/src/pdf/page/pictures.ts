import type { MissingPicture, Picture } from '../../model/document.ts'
import { readPicture } from '../../pictures/read-picture.ts'
import type { PagePicture } from './page-model.ts'
import type { Printable } from './printable.ts'

export type Pictures = (picture: Picture | MissingPicture) => PagePicture

type Means = {
  readonly printable: Printable
  /** By path: those the engine could not decode, though they looked well. */
  readonly brokenPictures: ReadonlySet<string>
}

/** Puts the pictures of a document among its files; what does not decode becomes a placeholder. */
export const createPictures = (
  files: Map<string, Buffer>,
  { printable, brokenPictures }: Means,
): Pictures => {
  let count = 0
  return (picture) => {
    if ('missing' in picture) return { alternative: picture.missing.map(printable) }
    count += 1
    const alternative = picture.alternative.map(printable)
    const read = readPicture(picture.base64)
    if ('flaw' in read) return { alternative }
    const path = `/picture-${count}.${read.type === 'image/png' ? 'png' : 'jpg'}`
    if (brokenPictures.has(path)) return { alternative }
    files.set(path, Buffer.from(read.base64, 'base64'))
    return { path, alternative }
  }
}
