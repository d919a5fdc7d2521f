import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newClerk } from '../../../test/console-form.ts'
import { keyboard } from '../../../test/console-hand.ts'
import { consoleOfFile } from '../../../test/console.ts'

const { console, skip } = consoleOfFile()

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
