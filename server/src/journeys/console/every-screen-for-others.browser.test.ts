import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsOfScreen, faultsOfWidths, type Looks } from '../../../test/console-faults.ts'
import { fillScreens, type Places } from '../../../test/console-screens.ts'
import { everyScreen, remembersScreens } from '../../../test/console-sweep.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { signUp } from '../../../test/people.ts'
import { makeOperatorIn } from '../../compose/commands.ts'

let places: Places
const { console, skip } = consoleOfFile({
  async prepare({ server }) {
    places = (await fillScreens(server)).places
    await signUp(server, 'newcomer')
    const { email } = await signUp(server, 'alone-for-now')
    await makeOperatorIn(server.config, { email })
  },
})

describe('every screen fits every window', { skip }, () => {
  /** The other theme for each width than in English. */
  const otherLooks: Looks = [
    ['light', 360],
    ['dark', 1280, 'colours'],
  ]
  const isKnown = remembersScreens()

  for (const [username, role, locale, looks] of [
    ['everything', 'an admin and operator', 'de-DE', otherLooks],
    ['reader', 'a reader', 'de-DE', undefined],
    ['newcomer', 'somebody without a company', 'en-GB', undefined],
    ['alone-for-now', 'an operator without a company', 'en-GB', undefined],
  ] as const)
    test(`for ${role}, ${locale}${looks ? ', and is accessible in both themes' : ''}`, async () => {
      const page = await console.open({ locale, colorScheme: 'light' })
      await console.signIn(page, { username })
      const faults: string[] = []
      for await (const address of everyScreen(page, { url: console.server.url, places })) {
        if (await isKnown(page)) continue
        const found = await (looks ? faultsOfScreen(page, looks) : faultsOfWidths(page))
        faults.push(...found.map((fault) => `${address}: ${fault}`))
      }
      assert.deepEqual(faults, [])
      assert.equal(await page.locator('html').getAttribute('lang'), locale.slice(0, 2))
      console.assertNoErrors()
    })
})
