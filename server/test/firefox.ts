import puppeteer, { type Browser } from 'puppeteer-core'
import { lacksPackage } from './debian-package.ts'

const executablePath = '/usr/bin/firefox-esr'

/** Why the journeys in Firefox cannot run here, or false. CI installs it. */
export const lacksFirefox = (): Promise<string | false> =>
  lacksPackage({ name: 'firefox-esr', file: executablePath })

/** Over WebDriver BiDi, which needs no driver. `languages` is what the browser asks pages for: `de-DE, de`. */
export const launchFirefox = (languages = 'en-GB, en'): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: { 'intl.accept_languages': languages, 'app.update.enabled': false },
  })
