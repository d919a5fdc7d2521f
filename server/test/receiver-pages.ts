import assert from 'node:assert/strict'
import type { Page as Firefox } from 'puppeteer-core'
import type { Page as Chromium } from 'playwright-core'
import { listenForFiles } from './chromium.ts'
import { keyboard } from './console-hand.ts'
import { eventually } from './eventually.ts'

/** The page that verifies, in one of the browsers. */
export type ReceiverPage = {
  readonly name: string
  open(url: string): Promise<void>
  choose(...files: readonly string[]): Promise<void>
  /** Runs an expression in which `root` is the content of the element. */
  read<T>(expression: string): Promise<T>
}

export type Shown = {
  readonly tone: string
  readonly says: string
  readonly text: string
  /** The four answers: `yes: Unchanged`. */
  readonly rows: readonly string[]
}

const withRoot = (expression: string): string =>
  `(() => { const root = document.querySelector('millseal-verify')?.shadowRoot; return root ? (${expression}) : undefined })()`

export const inChromium = (page: Chromium): ReceiverPage => ({
  name: 'Chromium',
  async open(url) {
    listenForFiles(page)
    await page.goto(url)
  },
  /** By keyboard alone. */
  async choose(...files) {
    await keyboard.reach(page.locator('#file'))
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    const found = await chooser.catch(async (cause: unknown) => {
      const focused = await page.evaluate<string>(withRoot('root.activeElement?.outerHTML.slice(0, 200)'))
      throw new Error(`the key did not open the choice of files; the focus is on ${focused}`, { cause })
    })
    await found.setFiles([...files])
  },
  read: (expression) => page.evaluate(withRoot(expression)),
})

export const inFirefox = (page: Firefox): ReceiverPage => {
  const read = async <T>(expression: string) => (await page.evaluate(withRoot(expression))) as T
  return {
    name: 'Firefox',
    open: async (url) => void (await page.goto(url)),
    /** By keyboard alone, too. */
    async choose(...files) {
      const chooser = page.waitForFileChooser()
      chooser.catch(() => {})
      for (let keys = 0; !(await read<boolean>(`root.activeElement?.id === 'file'`)); keys += 1) {
        assert.ok(keys < mostKeys, `${mostKeys} keys did not lead to the field of files`)
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Enter')
      await (await chooser).accept([...files])
    },
    read,
  }
}

const mostKeys = 100

const result = `(() => {
  const section = root.querySelector('#result')
  return {
    tone: section.dataset.verdict,
    says: root.querySelector('#verdict').textContent,
    text: section.innerText,
    rows: [...section.querySelectorAll('.rows > li')].map((row) => row.dataset.answer + ': ' + (row.querySelector('h3, p').textContent)),
  }
})()`

/** Waits for a state of the page. Its policy forbids what the browsers' own waiting does. */
export const until = async (page: ReceiverPage, expression: string): Promise<void> => {
  const what = `${expression} in ${page.name}`
  await eventually(() => page.read<boolean>(`!!(${expression})`), { what, everyMs: 30 })
}

/** Chooses files and waits for the answer to them. */
export const verdictOn = async (page: ReceiverPage, ...files: readonly string[]): Promise<Shown> => {
  await page.read(`root.querySelector('#verdict').replaceChildren()`)
  await page.choose(...files)
  return shownOn(page)
}

/** Waits for an answer. */
export const shownOn = async (page: ReceiverPage): Promise<Shown> => {
  await until(
    page,
    `root && !root.querySelector('#result').hidden && root.querySelector('#verdict').textContent !== ''`,
  )
  return page.read<Shown>(result)
}
