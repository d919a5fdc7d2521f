import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'

/** How somebody works on a page, so that a story is written once and done with the mouse or with keys alone. */
export type Hand = {
  readonly name: 'mouse' | 'keyboard'
  reach(target: Locator): Promise<void>
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
}

export const mouse: Hand = {
  name: 'mouse',
  reach: (target) => target.click(),
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
}

type Part = {
  readonly isConnected: boolean
  readonly outerHTML: string
  readonly tabIndex: number
  readonly type?: string
  readonly ownerDocument: {
    readonly activeElement: Part
    readonly body: Part
    readonly defaultView: {
      getComputedStyle(part: Part): Record<'outlineStyle' | 'outlineWidth' | 'boxShadow', string>
    }
  }
  getRootNode(): { readonly activeElement?: Part | null }
  compareDocumentPosition(other: Part): number
}

/** Whether what has the focus comes after it, also inside an element with a tree of its own. Runs in the browser. */
const isBeforeFocus = (target: Part): boolean => {
  const following = 4
  // An element that the page has just replaced is in no document, and nothing there has the focus.
  const focused = target.getRootNode().activeElement ?? target
  return (target.compareDocumentPosition(focused) & following) !== 0
}

/** Where the focus is, and what has it if that cannot be seen. Runs in the browser. */
const focusFrom = (target: Part) => {
  const { activeElement: active, body, defaultView } = target.ownerDocument
  const { outlineStyle, outlineWidth, boxShadow } = defaultView.getComputedStyle(active)
  const isShown = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none'
  // The browser shows the focus of the parts inside a date itself.
  const isOther = active === body || active.tabIndex < 0 || active.type === 'date'
  return {
    unseen: isShown || isOther ? null : active.outerHTML.slice(0, 200),
    isThere: target.isConnected && target.getRootNode().activeElement === target,
    isReplaced: !target.isConnected,
  }
}

const mostKeys = 300

/** Presses the tab key until the target has the focus. Whatever has it on the way shows it. */
const tabTo = async (target: Locator): Promise<void> => {
  await target.waitFor()
  const page = target.page()
  // To find an element by its role takes the page longer than all else here.
  let element = await target.elementHandle()
  const goesBack = await target.evaluate(isBeforeFocus)
  for (let keys = 0; keys < mostKeys; keys += 1) {
    let focus = await element.evaluate(focusFrom)
    while (focus.isReplaced) {
      element = await target.elementHandle()
      focus = await element.evaluate(focusFrom)
    }
    assert.equal(focus.unseen, null, 'the focus cannot be seen')
    if (focus.isThere) return
    await page.keyboard.press(goesBack ? 'Shift+Tab' : 'Tab')
  }
  assert.fail(`${mostKeys} keys did not lead to ${target.toString()}`)
}

/** A date is typed in parts, in an order that depends on the browser: day and month have to be equal. */
const keysOfDate = (date: string): string => {
  const [year = '', month = '', day] = date.split('-')
  assert.equal(day, month, 'day and month are the same number')
  return `${month}${month}${year}`
}

export const keyboard: Hand = {
  name: 'keyboard',
  reach: tabTo,
  async press(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async write(target, text) {
    await tabTo(target)
    const { keyboard: keys } = target.page()
    if ((await target.getAttribute('type')) === 'date') {
      await keys.type(keysOfDate(text), { delay: 50 })
      assert.equal(await target.inputValue(), text)
      return
    }
    await keys.press('Control+a')
    await keys.insertText(text)
  },
}
