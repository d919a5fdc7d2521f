import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { installPackage, mayInstall } from './debian-package.ts'

const whole = { name: 'chromium', file: '/usr/bin/chromium' } as const
/** The same engine without windows: half of the processor time. */
const shell = { name: 'chromium-headless-shell', file: '/usr/bin/chromium-headless-shell' } as const
const wholeBrowsers = [
  whole.file,
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
] as const

export type Wanted = {
  /** Only the whole browser has a viewer for PDFs; without one, our pages offer a link. Default: false. */
  readonly showsPdfs?: boolean
}

/** The browser of this machine, if it has one. */
export const findChromium = ({ showsPdfs = false }: Wanted = {}): string | undefined => {
  const best = showsPdfs ? wholeBrowsers : [shell.file]
  if (mayInstall && !best.some(existsSync)) installPackage(showsPdfs ? whole : shell)
  return [...best, ...wholeBrowsers].find(existsSync)
}

/** How long a page is waited for: only a fault exceeds it, even on a busy machine. */
const patienceMs = 120_000

/** The sandbox of Chromium does not work as root or in most containers. The tests open only our own pages. */
export const launchChromium = async (executablePath: string): Promise<Browser> => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  return browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
}

/** The browser learns with a delay that somebody listens; until then a key opens a window that nobody sees. */
export const listenForFiles = (page: Page): void => void page.on('filechooser', () => {})
