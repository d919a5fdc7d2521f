import { describe, test } from 'node:test'
import { fillSteel, newClerk } from '../../../test/console-form.ts'
import { consoleOfFile } from '../../../test/console.ts'

const { console, skip } = consoleOfFile()

const steel = '/new/form?family=en10168&version=1.0.0'

describe('the picture that a form asks for', { skip }, () => {
  test('that the clerk does not have can be left out, which both languages say', async () => {
    const clerk = await newClerk(console, 'without-mark')
    const german = await console.open({ locale: 'de-DE' })
    await console.signIn(german, clerk, steel)
    const sign = german.getByRole('group', { name: 'Zeichen des Herstellers' })
    await sign.getByText(/Wenn Sie keines haben, machen Sie ohne Bild weiter/).waitFor()
    await sign.getByRole('button', { name: 'Ohne Bild weiter' }).click()
    await sign.getByText('Im Zeugnis steht, dass es kein Bild gibt.').waitFor()
    await german.context().close()

    const page = await console.open()
    await console.signIn(page, clerk, steel)
    await fillSteel(page, '1866647/001')
    const mark = page.getByRole('group', { name: 'Mark of the manufacturer' })
    await mark.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Notarize' }).click()
    await mark.locator('.problem').waitFor()
    await mark.getByRole('button', { name: 'Go on without a picture' }).click()
    await mark.getByText('The certificate says that there is no picture.').waitFor()
    await page.getByText('Nothing is missing', { exact: true }).waitFor()
    console.assertNoErrors()
  })
})
