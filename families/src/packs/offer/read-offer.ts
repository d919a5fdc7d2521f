import { stat } from 'node:fs/promises'
import { because } from '@millseal/contract/reasons'
import { PackRejected } from '../manifest.ts'
import { type OfferedFiles, startCollecting } from './collector.ts'
import { readArchive, readArchiveFile } from './read-archive.ts'
import { readFolder } from './read-folder.ts'

/** What somebody wants to import: a folder or archive on this machine, or an archive in memory. */
export type PackOffer = { readonly path: string } | { readonly archive: Uint8Array }

/** Reads everything that an import could need. Writes nothing; throws `PackRejected`. */
export const readOffer = async (offer: PackOffer): Promise<OfferedFiles> => {
  const collector = startCollecting()
  if ('archive' in offer) {
    const { buffer, byteOffset, byteLength } = offer.archive
    await readArchive(Buffer.from(buffer, byteOffset, byteLength), collector)
    return collector.offered
  }
  const facts = await stat(offer.path).catch(() => undefined)
  if (facts?.isDirectory() === true) await readFolder(offer.path, collector)
  else if (facts?.isFile() === true) await readArchiveFile(offer.path, collector)
  else throw new PackRejected([because('pack_not_readable', { path: offer.path })])
  return collector.offered
}
