import type { MissingPicture, Picture } from '../../model/document.ts'
import { readPicture } from '../../pictures/read-picture.ts'
import type { PagePicture } from './page-model.ts'

export type Pictures = (picture: Picture | MissingPicture) => PagePicture

/**
 * Adds the pictures of a document to its files. A picture that cannot be decoded becomes a placeholder. `broken`: the
 * paths of pictures that passed our checks but not those of the engine.
 */
export const createPictures = (files: Map<string, Buffer>, broken: ReadonlySet<string>): Pictures => {
  let count = 0
  return (picture) => {
    if ('missing' in picture) return { alternative: picture.missing }
    count += 1
    const { alternative } = picture
    const read = readPicture(picture.base64)
    if ('flaw' in read) return { alternative }
    const path = `/picture-${count}.${read.type === 'image/png' ? 'png' : 'jpg'}`
    if (broken.has(path)) return { alternative }
    files.set(path, Buffer.from(read.base64, 'base64'))
    return { path, alternative }
  }
}
