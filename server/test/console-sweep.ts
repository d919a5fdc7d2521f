import type { Page } from 'playwright-core'
import { watchCalls } from './console-faults.ts'
import { addressesOf, type Places } from './console-screens.ts'

type Sweep = {
  /** Of the server. */
  readonly url: string
  readonly places: Places
  /** Loads each route by its address, as a link in a mail does. All others are reached within the page, which is much faster. */
  readonly loadsRoutes?: boolean
}

/** Shows one screen after another, at 1280 px in the light theme, and yields its address. */
export async function* everyScreen(
  page: Page,
  { url, places, loadsRoutes = false }: Sweep,
): AsyncGenerator<string> {
  const isDrawn = watchCalls(page)
  const routes = Object.values(addressesOf).map((of) => of(places))
  // No screen follows another one of its route, which would keep its heading.
  const inTurn = [...routes.map(([first = '']) => first), ...routes.flatMap(([, ...searches]) => searches)]
  for (const [index, address] of inTurn.entries()) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 900 })
    if (loadsRoutes && index < routes.length) await page.goto(`${url}/console${address}`)
    else await goWithin(page, address)
    await isDrawn()
    yield address
  }
}

const goWithin = async (page: Page, address: string): Promise<void> => {
  await page.evaluate(`{
    for (const heading of document.querySelectorAll('h1')) heading.dataset.isOfEarlierScreen = ''
    history.pushState(null, '', ${JSON.stringify(`/console${address}`)})
    dispatchEvent(new PopStateEvent('popstate'))
  }`)
  await page.locator('h1:not([data-is-of-earlier-screen])').first().waitFor()
}

/** Ids differ each time a screen is drawn; nothing that a reader sees depends on them. */
const drawn = `document.documentElement.lang + document.body.outerHTML.replaceAll(/ (id|for|name|aria-(labelledby|describedby|controls|owns))="[^"]*"/g, '')`

/** Whether a screen was drawn before exactly as it is now, so that it need not be examined again. */
export const remembersScreens = (): ((page: Page) => Promise<boolean>) => {
  const seen = new Set<string>()
  return async (page) => {
    const screen = await page.evaluate<string>(drawn)
    const isKnown = seen.has(screen)
    seen.add(screen)
    return isKnown
  }
}
