import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultsOfScreen, watchCalls } from '../../../test/console-faults.ts'
import { faultsOfTabs } from '../../../test/console-keys.ts'
import { type Mill, openMill, savedBytes } from '../../../test/console-mill.ts'
import { consoleOfFile } from '../../../test/console.ts'
import { newOwner } from '../../../test/machines.ts'
import { signUpOperator, verifyCompany } from '../../../test/people.ts'

let mill: Mill
const { console, skip } = consoleOfFile({
  showsPdfs: true,
  async prepare({ server }) {
    mill = await openMill(server, 'mill')
  },
})

describe('the PDF beside a certificate', { skip }, () => {
  test('fits every window, is accessible in both themes, and is passed with the tab key', async () => {
    const id = await mill.notarize({ number: 'BESIDE-1' })
    const page = await console.open()
    await console.signIn(page, { username: 'mill' }, `/certificates/${id}`)
    const isDrawn = watchCalls(page)
    await page.reload()
    await page.locator('iframe.paper').waitFor()
    await isDrawn()
    assert.deepEqual([...(await faultsOfTabs(page)), ...(await faultsOfScreen(page))], [])
    console.assertNoErrors()
  })
})

describe('received certificates', { skip }, () => {
  test('are in a list of their own once the company is reviewed, with their verdict and files', async () => {
    const trader = await newOwner(console.server, 'trader')
    await mill.notarize({ number: 'T-1', receiver: trader.company.vatId })
    const page = await console.open()
    await console.signIn(page, { username: 'trader' }, '/received')
    await page.getByRole('heading', { name: 'Your company is not verified yet' }).waitFor()
    await verifyCompany(console.server, await signUpOperator(console.server), trader.company.id)
    await mill.notarize({ number: 'T-2', receiver: trader.company.vatId })
    await page.reload()
    await page.getByRole('link', { name: 'T-2' }).click()
    await page.getByText(/have not changed since/).waitFor()
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.locator('[aria-current=page]', { hasText: 'Received' }).waitFor()
    assert.equal(await navigation.locator('[aria-current=page]').count(), 1, 'only the list it is in')
    assert.equal(await page.getByRole('heading', { name: 'History' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Withdraw' }).count(), 0)
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PDF' }).click(),
    ])
    assert.equal((await savedBytes(pdf)).subarray(0, 5).toString('latin1'), '%PDF-')
    console.assertNoErrors()
  })
})
