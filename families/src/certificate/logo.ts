import { recogniseFamily } from '../families/index.ts'
import type { Picture } from '../model/document.ts'
import { readPicture } from '../pictures/read-picture.ts'
import type { Certificate } from './read-certificate.ts'

/** The logo in the certificate, if it has one that can be shown. */
export const logoOf = ({ json }: Certificate): Omit<Picture, 'alternative'> | undefined => {
  const value = recogniseFamily(json)?.logo(json)
  const read = value === undefined ? undefined : readPicture(value)
  return read === undefined || 'flaw' in read ? undefined : read
}
