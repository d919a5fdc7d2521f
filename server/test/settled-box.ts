import { isDeepStrictEqual } from 'node:util'
import type { Locator } from 'playwright-core'
import { twoFrames } from './console-faults.ts'
import { eventually } from './eventually.ts'

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Where an element is, as soon as it stays there from one frame to the next: before, the page is still being laid out. */
export const settledBox = (element: Locator): Promise<Box> =>
  eventually(
    async () => {
      const before = await element.boundingBox()
      await element.page().evaluate(twoFrames)
      return isDeepStrictEqual(await element.boundingBox(), before) && (before ?? false)
    },
    { what: 'an element that stays in its place' },
  )
