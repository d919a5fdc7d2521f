import type { Page } from 'playwright-core'
import { findViolations } from './axe.ts'
import { eventually } from './eventually.ts'

const widths = [360, 768, 1280, 2560]

export const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Resolves when the screen has its title and no call is under way. */
export const watchCalls = (page: Page): (() => Promise<void>) => {
  let open = 0
  page.on('request', () => (open += 1))
  page.on('requestfinished', () => (open -= 1))
  page.on('requestfailed', () => (open -= 1))
  return async () => {
    await page.locator('h1').first().waitFor()
    await eventually(async () => {
      if (open > 0) return false
      await page.evaluate(twoFrames)
      return open <= 0
    })
  }
}

/** Words that their box hides. Cells of a list may end in an ellipsis: their line opens the whole. */
const cutTexts = `[...document.querySelectorAll('main *, nav *, .band')]
  .filter((element) => {
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element)
    if (element.clientWidth <= 1 || element.closest('.hidden-visually') !== null) return false
    const hides = /hidden|clip/.test(overflowX + overflowY) || element.matches('button, .button, .chip, .state')
    return (
      hides &&
      textOverflow !== 'ellipsis' &&
      element.textContent.trim() !== '' &&
      (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 3)
    )
  })
  .map((element) => element.className + ': ' + element.textContent.slice(0, 60))`

/** In the frame after the one that shows the new width, the page measures its rows and places them. */
const fit = `${twoFrames}.then(() => ({ content: document.documentElement.scrollWidth, cut: ${cutTexts} }))`

/** What does not fit its window. */
export const faultsOfWidths = async (page: Page): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const { content, cut } = await page.evaluate<{ content: number; cut: string[] }>(fit)
    if (content > width) faults.push(`${width} px: ${content} px of content`)
    faults.push(...cut.map((text) => `${width} px: cut: ${text}`))
  }
  return faults
}

/** The themes with the width that each is examined at; `colours` where all other rules were examined in the other theme. */
export type Looks = readonly (readonly [theme: 'light' | 'dark', width: number, rules?: 'colours'])[]
const usualLooks: Looks = [
  ['light', 1280],
  ['dark', 360],
]

/** What does not fit its window, and what is not accessible. */
export const faultsOfScreen = async (page: Page, looks = usualLooks): Promise<readonly string[]> => {
  const faults = [...(await faultsOfWidths(page))]
  for (const [colorScheme, width, rules] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const violations = await findViolations(page, { onlyColours: rules === 'colours' })
    faults.push(...violations.map(({ id, html }) => `${colorScheme}: ${id}: ${html.slice(0, 200)}`))
  }
  return faults
}
