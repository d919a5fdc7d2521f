import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser of this machine, if it has one. CI may install it: there nothing is skipped. */
export const findChromium = async (): Promise<string | undefined> => {
  const found = await firstThere()
  const mayInstall = process.env['CI'] === 'true' && process.getuid?.() === 0
  if (found !== undefined || !mayInstall) return found
  const install = ['-c', 'apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium']
  await promisify(execFile)('sh', install, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }).catch(() => {})
  return firstThere()
}

const firstThere = async (): Promise<string | undefined> => {
  for (const place of places) {
    const isThere = await access(place).then(
      () => true,
      () => false,
    )
    if (isThere) return place
  }
  return undefined
}

/** The sandbox of Chromium does not work as root or in most containers. The tests open only our own pages. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
