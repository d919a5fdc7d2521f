import { readFile, stat } from 'node:fs/promises'
import { because } from '@millseal/contract/reasons'
import { PackRejected } from '../manifest.ts'
import { type Collector, offerLimits } from './collector.ts'
import { readTarGz } from './read-tar.ts'
import { readZip } from './read-zip.ts'

export const isArchiveName = (name: string): boolean => /\.(?:zip|tgz|tar\.gz)$/i.test(name)

/** `prefix` goes before the paths in the archive. The bytes decide what the archive is, not its name. */
export const readArchive = async (archive: Buffer, collector: Collector, prefix = ''): Promise<void> => {
  if (archive.length > offerLimits.archiveBytes) throw tooLarge(archive.length)
  if (archive.length >= 22 && archive.toString('latin1', 0, 2) === 'PK') readZip(archive, prefix, collector)
  else if (archive[0] === 0x1f && archive[1] === 0x8b) await readTarGz(archive, prefix, collector)
  else throw new PackRejected([because('pack_not_archive')])
}

export const readArchiveFile = async (path: string, collector: Collector, prefix = ''): Promise<void> => {
  const { size } = await stat(path)
  if (size > offerLimits.archiveBytes) throw tooLarge(size)
  await readArchive(await readFile(path), collector, prefix)
}

const tooLarge = (bytes: number): PackRejected =>
  new PackRejected([because('pack_too_large', { bytes, most: offerLimits.archiveBytes })])
