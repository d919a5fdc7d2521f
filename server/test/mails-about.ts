import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The ids of the saved mails whose subject contains `about`, by what its group finds and the receiver: `KILL-7
 * mill@example.com`. A mail that was saved twice is there twice, with the same id.
 */
export const mailsAbout = async (
  dataDirs: readonly string[],
  about: RegExp,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const subject = new RegExp(`^Subject: .*${about.source}`, 'm')
  const found = new Map<string, string[]>()
  const folders = dataDirs.map((dataDir) => join(dataDir, 'mails')).filter((folder) => existsSync(folder))
  for (const path of (await Promise.all(folders.map(filesIn))).flat()) {
    if (!path.endsWith('.eml')) continue
    const [head = ''] = (await readFile(path, 'latin1')).split('\r\n\r\n', 1)
    const [, number] = subject.exec(head) ?? []
    const [, to = ''] = /^To: (.*)$/m.exec(head) ?? []
    const [, id = path] = /^Message-ID: (.*)$/im.exec(head) ?? []
    if (number === undefined) continue
    const key = `${number} ${to.trim()}`
    found.set(key, [...(found.get(key) ?? []), id])
  }
  return found
}

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).map((name) => join(folder, name))
