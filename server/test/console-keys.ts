import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { keyboard } from './console-hand.ts'

/**
 * Notes what gets the focus, and whether one sees it. The key that leaves a frame may be released in the frame, so that
 * the focus itself tells; some marks of the focus are drawn only after it.
 */
const watching = `{
  const isSeen = (element) => {
    // A link in the page of a certificate has the focus inside of the page.
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element.shadowRoot?.activeElement ?? element)
    // A field that is hidden is shown by its label, and the browser shows the parts of a date itself.
    const label = element.closest('label')
    const shown = label === null ? undefined : getComputedStyle(label)
    return (
      (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) ||
      boxShadow !== 'none' ||
      element.type === 'date' ||
      (shown !== undefined && (shown.outlineStyle !== 'none' || shown.boxShadow !== 'none')) ||
      label?.matches('[data-focus-visible]') === true
    )
  }
  const first = document.querySelector('.skip')
  first.focus()
  globalThis.reached = [{ element: first, isSeen: true }]
  const look = () => {
    const last = reached.at(-1)
    if (last.element === document.activeElement) last.isSeen ||= isSeen(last.element)
  }
  addEventListener('focusin', ({ target }) => {
    reached.push({ element: target, isSeen: isSeen(target) })
    requestAnimationFrame(look)
  })
  addEventListener('keyup', look)
}`

/** Everything that the tab key has to reach. Of radio buttons, it reaches one of each group. */
const stops = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
  (element) =>
    element.tabIndex >= 0 &&
    !element.disabled &&
    element.closest('[inert]') === null &&
    element.checkVisibility({ visibilityProperty: true }) &&
    (element.type !== 'radio' ||
      element ===
        (document.querySelector('input[name="' + element.name + '"]:checked') ??
          document.querySelector('input[name="' + element.name + '"]'))))`

/** The parts of a date, the parts of the viewer in a frame, and areas that scroll are reached, too. */
const mostKeys = `${stops}.length + 4 * document.querySelectorAll('input[type=date]').length +
  60 * document.querySelectorAll('iframe').length + 20`

/** What got the focus until something got it again, with which the lap is over. */
const firstLap = `(() => {
  const lap = []
  for (const { element } of reached) {
    if (element === lap.at(-1)) continue
    if (lap.includes(element)) return { lap, isOver: true }
    lap.push(element)
  }
  return { lap, isOver: false }
})()`

const findings = `(() => {
  const name = (element) => element.outerHTML.slice(0, 160)
  const { lap } = ${firstLap}
  const follows = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return [
    ...${stops}.filter((element) => !lap.includes(element)).map((element) => 'not reached: ' + name(element)),
    ...lap.filter((element, at) => at > 0 && !follows(lap[at - 1], element)).map((element) => 'jumps to: ' + name(element)),
    ...reached.filter(({ isSeen }) => !isSeen).map(({ element }) => 'not seen: ' + name(element)),
    ...(${stops}[0]?.matches('.skip') ? [] : ['does not begin with the link to the content']),
  ]
})()`

/** Goes through a screen with the tab key alone, from the link to its content on. */
export const faultsOfTabs = async (page: Page): Promise<readonly string[]> => {
  const faults = await faultsOfLap(page)
  // A screen may get a button, or draw one again, while somebody goes through it.
  return faults.length === 0 ? faults : await faultsOfLap(page)
}

const keysBetweenLooks = 8

const faultsOfLap = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(watching)
  const keys = await page.evaluate<number>(mostKeys)
  for (let pressed = 1; pressed <= keys; pressed += 1) {
    await page.keyboard.press('Tab')
    if (pressed % keysBetweenLooks === 0 && (await page.evaluate<boolean>(`${firstLap}.isOver`))) break
  }
  return [...new Set(await page.evaluate<string[]>(findings))]
}

const mostInDialog = 40

/** Notes after each key what has the focus outside of a dialog. */
const watchingInside = `{
  removeEventListener('keyup', globalThis.noteFocus, true)
  globalThis.focusAfterKeys = { noted: 0, outside: [] }
  globalThis.noteFocus = () => {
    const active = document.activeElement
    focusAfterKeys.noted += 1
    if (active.closest('[role=dialog], [role=alertdialog]') === null)
      focusAfterKeys.outside.push(active.outerHTML.slice(0, 160))
  }
  addEventListener('keyup', noteFocus, true)
}`

/** Opens a dialog with keys: it keeps the focus, Escape closes it, and the focus is back at the button. */
export const assertDialogByKeys = async (page: Page, button: Locator): Promise<void> => {
  await keyboard.press(button)
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await dialog.waitFor()
  await dialog
    .locator(':focus')
    .or(dialog.and(page.locator(':focus')))
    .waitFor()
  await page.evaluate(watchingInside)
  for (let keys = 0; keys < mostInDialog; keys += 1)
    await page.keyboard.press(keys % 10 === 9 ? 'Shift+Tab' : 'Tab')
  const { noted, outside } = await page.evaluate<{ noted: number; outside: string[] }>('focusAfterKeys')
  assert.deepEqual(outside, [], `the focus left the dialog of ${button.toString()}`)
  assert.ok(noted >= mostInDialog, 'each key is noted')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await button.and(page.locator(':focus')).waitFor()
}
