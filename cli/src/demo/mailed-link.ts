import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const patienceMs = 20_000
const lookMs = 50

/** The link in the first mail to this address, among the files that a server without SMTP_URL leaves. */
export const findMailedLink = async (dataDir: string, address: string): Promise<URL> => {
  const folder = join(dataDir, 'mails')
  const until = performance.now() + patienceMs
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
        `no mail to ${address} came to ${folder} within ${patienceMs / 1_000} s: run the demo with the MILLSEAL_DATA_DIR of the server, one without SMTP_URL`,
      )
    }
    await pause(lookMs)
  }
}

const linkFor = (address: string, mail: string): URL | undefined => {
  const isToThem = mail.split(/\r?\n/).some((line) => line.startsWith('To:') && line.includes(address))
  if (!isToThem) return undefined
  const text = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  return link === undefined ? undefined : new URL(link)
}
