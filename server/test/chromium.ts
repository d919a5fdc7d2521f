import { access } from 'node:fs/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { installPackage, mayInstall } from './debian-package.ts'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
] as const

/** The browser of this machine, if it has one. */
export const findChromium = async (): Promise<string | undefined> => {
  const found = await firstThere()
  if (found !== undefined || !mayInstall) return found
  installPackage({ name: 'chromium', file: places[0] })
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

/** The browser learns with a delay that somebody listens; until then a key opens a window that nobody sees. */
export const listenForFiles = (page: Page): void => void page.on('filechooser', () => {})
