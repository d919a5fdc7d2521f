import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Verification } from '@millseal/contract'
import type { Page } from 'playwright-core'
import { type Console, lacksChromium, startConsole } from '../../../test/console.ts'
import { eventually } from '../../../test/eventually.ts'
import { newLiveOwner } from '../../../test/machines.ts'
import { notarizeSample, publishIdentity } from '../../../test/offline.ts'
import { enableMfa, foundCompany, type Person, signUp, verifyCompany } from '../../../test/people.ts'
import { newIdentity } from '../../../test/signers.ts'
import { makeOperatorIn } from '../../compose/commands.ts'

const skip = lacksChromium()
let console: Console
let operator: Person
let nextCode: () => string

before(async () => {
  if (skip !== false) return
  console = await startConsole()
  operator = await signUp(console.server, 'olivia')
  await makeOperatorIn(console.server.config, { email: operator.email })
  nextCode = await enableMfa(console.server, operator)
})
after(async () => {
  if (skip === false) await console[Symbol.asyncDispose]()
})

const openAsOperator = async (screen: string): Promise<Page> => {
  const page = await console.open()
  await console.signIn(page, { username: operator.username, code: nextCode }, screen)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

describe('an operator who reviews a company', { skip }, () => {
  test('sees a verified one of which its name makes readers think, and verifies it only after saying that it is another', async () => {
    const { server } = console
    const mill = await foundCompany(server, await signUp(server, 'true-mill'), { name: 'Acme Steel GmbH' })
    await verifyCompany(server, operator, mill.id)
    const founder = await signUp(server, 'double')
    const double = await foundCompany(server, founder, { name: '\u0391CME Stee1' })
    const page = await openAsOperator('/operator/reviews')
    await page.getByRole('row', { name: /Name like a verified company/ }).waitFor()
    await page.getByRole('link', { name: double.name }).click()
    await page.getByText('The name has letters of several alphabets').waitFor()
    const other = page.getByRole('row', { name: `${mill.name} ${mill.vatId} AT Verified` })
    assert.match((await other.getByRole('link').getAttribute('href')) ?? '', new RegExp(`${mill.id}$`))

    await page.getByRole('button', { name: 'Verify' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await dialog.getByText('Confirm that it is another company').waitFor()
    const isVerified = async () =>
      (await server.client(founder.accessToken).readCompany({ params: { id: double.id } })).verified
    assert.equal(await isVerified(), false)
    await dialog
      .getByText(`I have compared it with ${mill.name} (${mill.vatId}): it is another company`)
      .click()
    await dialog.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(`${double.name} is verified.`).waitFor()
    assert.equal(await isVerified(), true)
    console.assertNoErrors()
  })

  test('takes a verification back with all keys, and the log then revokes what they sign', async () => {
    const { server } = console
    const { admin, company } = await newLiveOwner(server, 'forging-mill')
    const client = server.client(admin.accessToken)
    const about = { company: company.id, identity: await newIdentity(client, company.id, 'live') }
    await publishIdentity(client, { ...about, mode: 'live' })
    server.clock.advance({ minutes: 2 })
    const { text } = await notarizeSample(client, { ...about, mode: 'live' })
    const verify = (): Promise<Verification> =>
      server.client().verifyCertificate({
        query: { mode: 'live' },
        document: new Blob([text], { type: 'application/json' }),
      })
    assert.equal((await verify()).verdict, 'genuine')

    const page = await openAsOperator(`/operator/reviews/${company.id}`)
    // The certificate is recorded later than the decision is made: such are those that it is about.
    server.clock.jump({ seconds: -50 })
    await page.getByRole('button', { name: 'Take the verification back' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Everybody can read it, word for word.').waitFor()
    await dialog.getByLabel('Reason').fill('Forged tests')
    await dialog.getByText('Also revoke all keys of the company').click()
    await dialog.getByRole('button', { name: 'Take the verification back' }).click()
    await page.getByText(`${company.name} is rejected.`).waitFor()
    const { verdict, message } = await eventually(
      async () => {
        const answer = await verify()
        return answer.verdict !== 'genuine' && answer.verdict !== 'unknownIssuer' && answer
      },
      { what: 'the log says that the keys are revoked' },
    )
    assert.equal(verdict, 'revoked', message)
    const words = encodeURIComponent(`"withdraw-review ${about.identity.did}"`)
    const ended = await eventually(
      async () => {
        const log = await fetch(`${server.url}/ledger/live/api/v1/assets?search=${words}`)
        const [found] = (await log.json()) as readonly { readonly data: { readonly reason?: string } }[]
        return found?.data
      },
      { what: 'the log says that the review ended' },
    )
    assert.equal(ended.reason, 'Forged tests')
    console.assertNoErrors()
  })
})
