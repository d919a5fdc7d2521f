import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const timeoutMs = 20_000
const pollMs = 50

/** The link in the first e-mail to this address. A server without SMTP_URL saves e-mails as files. */
export const findMailedLink = async (dataDir: string, address: string): Promise<URL> => {
  const folder = join(dataDir, 'mails')
  const until = performance.now() + timeoutMs
  const seen = new Set<string>()
  for (;;) {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((one) => one.endsWith('.eml') && !seen.has(one))) {
      seen.add(name)
      const link = linkFor(address, await readFile(join(folder, name), 'utf8'))
      if (link !== undefined) return link
    }
    if (performance.now() > until) {
      throw new Error(
        `no e-mail to ${address} appeared in ${folder} within ${timeoutMs / 1_000} s: set MILLSEAL_DATA_DIR to the data folder of the server, and run the server without SMTP_URL`,
      )
    }
    await pause(pollMs)
  }
}

const linkFor = (address: string, mail: string): URL | undefined => {
  const isForAddress = mail.split(/\r?\n/).some((line) => line.startsWith('To:') && line.includes(address))
  if (!isForAddress) return undefined
  const link = /https?:\/\/\S+/.exec(mail)?.[0]
  return link === undefined ? undefined : new URL(link)
}
