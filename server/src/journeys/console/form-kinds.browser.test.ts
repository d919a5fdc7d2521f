import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newClerk, paste } from '../../../test/console-form.ts'
import { keyboard } from '../../../test/console-hand.ts'
import { consoleOfFile } from '../../../test/console.ts'

const { console, skip } = consoleOfFile()

const steel = '/new/form?family=en10168&version=1.0.0'

/** A family that the server of this browser has, and a type that its operator imported. */
const concrete = {
  name: 'concrete',
  title: { en: 'Concrete', de: 'Beton' },
  types: [
    {
      type: 'concrete-schemas',
      title: { en: 'Concrete', de: 'Beton' },
      description: { en: 'Ready-mixed concrete', de: 'Transportbeton' },
    },
  ],
  sections: [{ name: 'Mixture', title: { en: 'Mixture', de: 'Zusammensetzung' } }],
}
const versions = { 'concrete-schemas': ['1.0.0'], 'welding-report-schemas': ['0.1.0'] }

const addToAnswer = (page: Page, path: string, add: (answer: never) => unknown): Promise<unknown> =>
  page.route(`**/api/certificates/${path}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: add((await response.json()) as never) })
  })

describe('the first screen of the form', { skip }, () => {
  test('offers each kind once, and the earlier versions of all schemas in one place', async () => {
    const page = await console.open()
    await console.signIn(page, await newClerk(console, 'chooser'), '/new/form')
    await page.getByRole('link', { name: /EN 10168/ }).waitFor()
    const earlier = page.locator('summary')
    assert.deepEqual(await earlier.allTextContents(), ['Earlier versions of the schemas'])
    await keyboard.press(earlier)
    const [version = ''] = await page.locator('details a').allTextContents()
    const form = page.waitForRequest((request) => request.url().includes(`-schemas/${version}?`))
    await keyboard.press(page.locator('details').getByRole('link', { name: version, exact: true }).first())
    await form
    // The address names the version only until the form is there, which may be too short to be seen.
    await page.waitForURL('**/new/form?draft=*')
    console.assertNoErrors()
  })
})

describe('a family that only the server knows', { skip }, () => {
  for (const [locale, kind, kindOfImported, preview, toMove] of [
    ['en-GB', 'Concrete Ready-mixed concrete', 'Welding report', 'Sample', 'Move Mixture up'],
    ['de-DE', 'Beton Transportbeton', 'Welding report', 'Muster', 'Zusammensetzung nach oben'],
  ] as const)
    test(`has its name and its sections in the console, ${locale}`, async () => {
      const page = await console.open({ locale })
      await addToAnswer(page, 'families', (known: readonly object[]) => [...known, concrete])
      await addToAnswer(page, 'schemas', (known: object) => ({ ...known, ...versions }))
      const { username } = await newClerk(console, `mixer-${locale.toLowerCase()}`)
      await console.signIn(page, { username: `${username}-admin` }, '/new/form')
      await page.getByRole('link', { name: kind, exact: true }).waitFor()
      await page.getByRole('link', { name: kindOfImported, exact: true }).waitFor()
      await page.goto(`${console.server.url}/console/company?part=looks`)
      await page.getByRole('button', { name: preview }).click()
      await page.getByRole('option', { name: concrete.title[locale === 'de-DE' ? 'de' : 'en'] }).click()
      await page.getByRole('button', { name: toMove, exact: true }).waitFor()
      // The real server has no sample of it to preview.
      console.assertNoErrors(/400/)
    })
})

describe('a table of the form', { skip }, () => {
  test('a pasted tensile table is known by the names of the trade, keeps its digits, and an unknown column can be joined', async () => {
    const page = await console.open()
    await console.signIn(page, await newClerk(console, 'tensile'), steel)
    const table = page.getByRole('region', { name: 'Tensile test' })
    await table.getByRole('textbox').last().click()
    // The server makes the page of the bytes that it would notarize.
    const paper = page.getByRole('region', { name: 'The page as your customer will see it' })
    await paste(page, [
      ['Heat', 'ReH (MPa)', 'Strength X', 'A5'],
      ['175508', '386', '534', '26,0'],
    ])
    await paper.getByText('26.0', { exact: true }).waitFor()
    await page.getByRole('button', { name: /“Strength X”/ }).click()
    await page.getByRole('option', { name: 'Tensile strength' }).click()
    await paper.getByText('534', { exact: true }).waitFor()
    await paper.getByText('ReH').first().waitFor()
    await page.getByText('“Strength X”').waitFor({ state: 'detached' })
    console.assertNoErrors()
  })
})
