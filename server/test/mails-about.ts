import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The ids of the saved mails whose subject contains `about`, by what its group finds and the receiver: `KILL-7
 * mill@example.com`. A mail that was saved twice is there twice, with the same id.
 */
export const mailsAbout = async (
  dataDir: string,
  about: RegExp,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const folder = join(dataDir, 'mails')
  const subject = new RegExp(`^Subject: .*${about.source}`, 'm')
  const found = new Map<string, string[]>()
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.eml')) continue
    const [head = ''] = (await readFile(join(folder, name), 'latin1')).split('\r\n\r\n', 1)
    const [, number] = subject.exec(head) ?? []
    const [, to = ''] = /^To: (.*)$/m.exec(head) ?? []
    const [, id = name] = /^Message-ID: (.*)$/im.exec(head) ?? []
    if (number === undefined) continue
    const key = `${number} ${to.trim()}`
    found.set(key, [...(found.get(key) ?? []), id])
  }
  return found
}
