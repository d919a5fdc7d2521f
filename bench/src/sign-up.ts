import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const person = { username: 'measurer', email: 'measurer@example.com', password: 'correct horse battery' }
const mailDeadlineMs = 10_000

/** Registers, opens the mailed link and signs in, as a person would; resolves with the access token. */
export const signUp = async (url: string, dataDir: string): Promise<string> => {
  await post(`${url}/api/users`, person)
  const link = await waitForLink(join(dataDir, 'mails'))
  await fetch(`${url}${link}`, { redirect: 'manual' })
  const { accessToken } = await post(`${url}/api/auth/login`, person)
  if (accessToken === undefined) throw new Error('There is no access token')
  return accessToken
}

const post = async (url: string, body: object): Promise<{ accessToken?: string }> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as { accessToken?: string }
}

const waitForLink = async (folder: string): Promise<string> => {
  const until = performance.now() + mailDeadlineMs
  while (performance.now() < until) {
    const name = (await readdir(folder).catch(() => [])).find((file) => file.endsWith('.eml'))
    const mail = name === undefined ? '' : await readFile(join(folder, name), 'utf8')
    const plain = mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
    const link = /\/api\/users\/confirm-email\?token=\S+/.exec(plain)?.[0]
    if (link !== undefined) return link
    await pause(20)
  }
  throw new Error('The mail with the link did not come')
}
