import type { Page } from 'playwright-core'

/** What the page that verifies says about a file. */
export type Shown = Readonly<Record<'tone' | 'verdict' | 'why' | 'facts' | 'checks', string>>

export const verdictOn = async (page: Page, file: string): Promise<Shown> => {
  await page.setInputFiles('#file', file)
  await page.waitForSelector('#result:not([hidden])')
  const text = async (id: string) => (await page.locator(`#${id}`).allTextContents()).join('')
  return {
    tone: (await page.getAttribute('#result', 'data-verdict')) ?? '',
    verdict: await text('verdict'),
    why: await text('why'),
    facts: await text('facts'),
    checks: await text('checks'),
  }
}

const verdictElement = `document.querySelector('millseal-verify').shadowRoot.querySelector('#verdict')`
export const colourOf = (page: Page): Promise<string> =>
  page.evaluate(`getComputedStyle(${verdictElement}).color`)
