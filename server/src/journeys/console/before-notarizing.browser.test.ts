import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sampleCertificate } from '../../../test/certificates.ts'
import { faultsOfScreen } from '../../../test/console-faults.ts'
import { certificateText, drop, heading } from '../../../test/console-mill.ts'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { newLiveOwner } from '../../../test/machines.ts'
import { publishIdentity } from '../../../test/offline.ts'
import { enableMfa, signUp } from '../../../test/people.ts'
import { newIdentity } from '../../../test/signers.ts'

const skip = lacksChromium()
let console: Console
let nextCode: () => string
before(async () => {
  if (skip !== false) return
  console = await startConsole()
  const { server } = console
  const { admin, company } = await newLiveOwner(server, 'live-mill')
  const client = server.client(admin.accessToken)
  const identity = await newIdentity(client, company.id, 'live')
  await publishIdentity(client, { company: company.id, identity, mode: 'live' })
  const clerk = await signUp(server, 'live-clerk')
  await client.addMember({ params: { id: company.id }, body: { email: clerk.email, role: 'clerk' } })
  nextCode = await enableMfa(server, clerk)
})
after(async () => {
  if (skip === false) await console[Symbol.asyncDispose]()
})

/** Names no address of its receiver. */
const unaddressed = (number: string): string => {
  const certificate = sampleCertificate({ number })
  const { Email: _none, ...receiver } = certificate.Certificate.CommercialTransaction.A06
  const { CommercialTransaction } = certificate.Certificate
  return JSON.stringify({
    ...certificate,
    Certificate: {
      ...certificate.Certificate,
      CommercialTransaction: { ...CommercialTransaction, A06: receiver },
    },
  })
}

describe('files, before they are notarized in live mode', { skip }, () => {
  test('say how many go to whom, show their paper, and wait until somebody has read this', async () => {
    const page = await console.open()
    await console.signIn(page, { username: 'live-clerk', code: nextCode }, '/new')
    await heading(page, 'New certificate').waitFor()
    await drop(page, [
      { name: 'B-1.json', text: certificateText({ number: 'B-1' }) },
      { name: 'B-2.json', text: unaddressed('B-2') },
    ])
    await page.getByText('2 certificates, in live mode: recorded permanently.').waitFor()
    await page.getByText('Mailed to receiver@example.com.').waitFor()
    const warning = '1 of 2 give no e-mail address of a receiver: only your company is mailed those.'
    await page.getByText(warning).waitFor()
    assert.deepEqual(await faultsOfScreen(page), [])

    await page.getByRole('button', { name: 'Paper B-1' }).click()
    const paper = page.getByRole('dialog', { name: 'B-1' })
    await paper.getByText('175508').first().waitFor()
    await page.keyboard.press('Escape')

    const notarize = page.getByRole('button', { name: /^Notarize \d certificates?$/ })
    const read = page.getByRole('checkbox', { name: 'I have read this' })
    assert.equal(await notarize.isDisabled(), true)
    await read.check({ force: true })
    assert.equal(await notarize.isEnabled(), true)
    await drop(page, [{ name: 'B-3.json', text: certificateText({ number: 'B-3' }) }])
    await page.getByText('3 certificates, in live mode: recorded permanently.').waitFor()
    assert.equal(await read.isChecked(), false)
    assert.equal(await notarize.isDisabled(), true)
    await read.check({ force: true })
    await notarize.click()
    await page.getByText('3 certificates recorded.').waitFor()

    await page.getByRole('link', { name: 'Open B-1' }).click()
    const saved = 'Mail to receiver@example.com: saved, no mail server'
    await page.getByText(saved).waitFor()
    console.assertNoErrors()
  })
})
