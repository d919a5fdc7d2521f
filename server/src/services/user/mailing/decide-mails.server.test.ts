import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { executeIn } from '../../../../test/execute-in.ts'
import { newOwner, type Owner } from '../../../../test/machines.ts'
import { foundCompany, signUp, signUpOperator, verifyCompany } from '../../../../test/people.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { readMessage } from '../../../lib/read-message.ts'
import { holderOfVatId } from '../quotas/lasting-numbers.ts'
import { type MailingCompanies, openMailing } from './mailing.suite.ts'

const quota = 6
let opened: MailingCompanies
let server: TestServer
before(async () => {
  opened = await openMailing(quota)
  ;({ server } = opened)
})
after(() => opened[Symbol.asyncDispose]())

const verified = (username: string): Promise<Owner> => opened.verified(username)
const send = (owner: Owner, address: string): Promise<string | undefined> => opened.send(owner, address)

type Wanted = { readonly mode?: 'test' | 'live'; readonly kind?: 'certificate' | 'correction' }

/** Who would get a mail of this company about something new: address and reason. */
const admit = async (
  { company }: Owner,
  addresses: readonly string[],
  { mode = 'live', kind = 'certificate' }: Wanted = {},
) => {
  const { users, database } = opened.deps
  const subject = { companyId: company.id, mode, kind, about: randomUUID() } as const
  const mails = (await database.transaction((tx) => users.admitMails(tx, [{ subject, addresses }]))).flat()
  return new Map(mails.map(({ address, heldBack }) => [address, heldBack]))
}

describe('who gets a mail of a company', () => {
  test('as many as the quota allows, however many are wanted at once, and failed calls use up none', async () => {
    const owner = await verified('hurried-mill')
    const { users, database } = opened.deps
    const ask = (at: number) =>
      database.transaction(async (tx) => {
        const subject = { companyId: owner.company.id, mode: 'live', kind: 'certificate' } as const
        const about = `at once ${at}`
        const order = { subject: { ...subject, about }, addresses: ['one@example.com'] }
        const mails = (await users.admitMails(tx, [order])).flat()
        if (at % 3 === 0) throw new Error('it fails after it was counted')
        return mails.filter(({ heldBack }) => heldBack === null).length
      })
    const asked = await Promise.allSettled(Array.from({ length: 30 }, (_, at) => ask(at)))
    const admitted = asked.map((one) => (one.status === 'fulfilled' ? one.value : 0))
    assert.equal(
      admitted.reduce((sum, each) => sum + each, 0),
      quota,
    )
  })

  test('in test mode: its confirmed members alone, even if it is verified', async () => {
    const owner = await verified('testing-mill')
    const unconfirmed = {
      username: 'not-yet',
      email: 'not-yet@example.com',
      password: 'correct horse battery',
    }
    await server.client().registerUser({ body: unconfirmed })
    await executeIn(
      server,
      `insert into company_members (company_id, user_id, role, since)
       select '${owner.company.id}', id, 'admin', now() from users where username = 'not-yet'`,
    )
    assert.deepEqual(
      await admit(owner, [' Testing-Mill@Example.com', 'buyer@example.com', 'not-yet@example.com'], {
        mode: 'test',
      }),
      new Map([
        ['testing-mill@example.com', null],
        ['buyer@example.com', 'test_mode'],
        ['not-yet@example.com', 'test_mode'],
      ]),
    )
  })

  test('until it is verified: its confirmed members alone, in live mode too', async () => {
    const owner = await newOwner(server, 'unknown-mill')
    const wanted = ['unknown-mill@example.com', 'buyer@example.com']
    assert.deepEqual(
      await admit(owner, wanted),
      new Map([
        ['unknown-mill@example.com', null],
        ['buyer@example.com', 'unreviewed'],
      ]),
    )
    await verifyCompany(server, await signUpOperator(server), owner.company.id)
    assert.deepEqual([...(await admit(owner, wanted)).values()], [null, null])
  })

  test('until it is verified: none of the people whom an admin added without asking them', async () => {
    const owner = await newOwner(server, 'adding-mill')
    const person = await signUp(server, 'registered-stranger')
    await server.client(owner.admin.accessToken).addMember({
      params: { id: owner.company.id },
      body: { email: person.email, role: 'admin' },
    })
    for (const mode of ['test', 'live'] as const)
      assert.deepEqual(
        await admit(owner, [person.email], { mode }),
        new Map([
          [person.email, mode === 'test' ? 'test_mode' : 'unreviewed'],
          ['adding-mill@example.com', null],
        ]),
      )
    await verifyCompany(server, await signUpOperator(server), owner.company.id)
    assert.deepEqual([...(await admit(owner, [person.email], { mode: 'test' })).values()], [null])
  })

  test('its confirmed admins, if otherwise nobody would', async () => {
    const owner = await newOwner(server, 'lonely-mill')
    assert.deepEqual(
      await admit(owner, ['buyer@example.com'], { mode: 'test' }),
      new Map([
        ['buyer@example.com', 'test_mode'],
        ['lonely-mill@example.com', null],
      ]),
    )
  })

  test('nobody after the quota of the day, which its admins learn once; warnings are still sent', async () => {
    const owner = await verified('busy-mill')
    const addresses = Array.from({ length: quota + 2 }, (_, at) => `receiver-${at}@example.com`)
    const reasons = [...(await admit(owner, addresses)).values()]
    assert.equal(reasons.filter((reason) => reason === null).length, quota)
    assert.equal(reasons.filter((reason) => reason === 'quota').length, 2)
    assert.deepEqual([...(await admit(owner, ['late@example.com'])).values()], ['quota'])
    assert.deepEqual([...(await admit(owner, ['late@example.com'], { kind: 'correction' })).values()], [null])
    const isQuotaMail = /Kontingent von 6 E-Mails/
    await server.mailsTo(owner.admin.email, 1, isQuotaMail)
    const other = await verified('idle-mill')
    assert.deepEqual(
      [...(await admit(other, ['late@example.com'])).values()],
      [null],
      'every company has its own',
    )
    server.clock.advance({ days: 1 })
    assert.deepEqual([...(await admit(owner, ['late@example.com'])).values()], [null], 'the next day')
    assert.equal((await server.mailsTo(owner.admin.email, 1, isQuotaMail)).length, 1)
  })

  test('is decided once: a repetition changes nothing', async () => {
    const owner = await verified('repeating-mill')
    const { users, database } = opened.deps
    const subject = { companyId: owner.company.id, mode: 'live', kind: 'certificate', about: 'x' } as const
    const ask = async (...addresses: string[]) =>
      (await database.transaction((tx) => users.admitMails(tx, [{ subject, addresses }]))).flat()
    const first = await ask('one@example.com')
    assert.deepEqual(await ask('one@example.com'), first)
    const many = await Promise.all(Array.from({ length: 5 }, () => ask('two@example.com')))
    assert.equal(new Set(many.flat().map(({ id }) => id)).size, 1)
    const counted = await database.query
      .selectFrom('dailyQuotas')
      .select('used')
      .where('companyId', '=', holderOfVatId(owner.company.vatId))
      .execute()
    const sum = counted.reduce((all, { used }) => all + used, 0)
    assert.equal(sum, 2, 'repetitions use up no quota')
  })

  test('by VAT id, so that a company that is founded again has what is left of the day', async () => {
    const { users, database } = opened.deps
    const { id: ownerId, accessToken } = await signUp(server, 'founds-again')
    const found = () => foundCompany(server, { accessToken }, { vatId: 'ATU74488404' })
    const first = await found()
    const ask = async (companyId: string, count: number) => {
      const subject = { companyId, mode: 'live', kind: 'certificate', about: randomUUID() } as const
      const addresses = Array.from({ length: count }, () => `${randomUUID()}@example.com`)
      await executeIn(server, `update companies set verified_at = now() where id = '${companyId}'`)
      const mails = (
        await database.transaction((tx) => users.admitMails(tx, [{ subject, addresses }]))
      ).flat()
      return mails.filter(({ heldBack }) => heldBack === null).length
    }
    assert.equal(await ask(first.id, quota - 1), quota - 1)
    await server.client(accessToken).deleteCompany({ params: { id: first.id } })
    const again = await found()
    assert.equal(again.owner.id, ownerId)
    assert.equal(await ask(again.id, 3), 1)
  })

  test('for several subjects of several companies at once as for each alone', async () => {
    const [one, two] = [await verified('first-of-many'), await verified('second-of-many')]
    const { users, database } = opened.deps
    const orderOf = (
      { company }: Owner,
      about: string,
      mode: 'test' | 'live',
      addresses: readonly string[],
    ) => ({
      subject: { companyId: company.id, mode, kind: 'certificate', about } as const,
      addresses,
    })
    const many = Array.from({ length: quota }, (_, at) => `many-${at}@example.com`)
    const orders = [
      orderOf(two, 'a', 'live', ['shared@example.com']),
      orderOf(one, 'b', 'live', many.slice(1)),
      orderOf(one, 'c', 'test', ['Shared@example.com']),
      orderOf(one, 'd', 'live', ['shared@example.com', ' last@example.com']),
    ]
    const ask = () => database.transaction((tx) => users.admitMails(tx, orders))
    const admitted = await ask()
    assert.deepEqual(
      admitted.map((mails) => Object.fromEntries(mails.map(({ address, heldBack }) => [address, heldBack]))),
      [
        { 'shared@example.com': null },
        Object.fromEntries(many.slice(1).map((address) => [address, null])),
        // The admin, because the test mode leaves nobody; this is the last mail of the day.
        { 'shared@example.com': 'test_mode', [one.admin.email]: null },
        { 'shared@example.com': 'quota', 'last@example.com': 'quota' },
      ],
    )
    for (const [place, mails] of (await ask()).entries())
      for (const mail of mails)
        assert.deepEqual(
          mail,
          admitted[place]?.find(({ id }) => id === mail.id),
        )
  })
})

test('answers to a mail go to the company if it has an address, never to an admin', async () => {
  const owner = await verified('answering-mill')
  const replyTo = (mail: string | undefined) => readMessage(Buffer.from(mail ?? '')).header('reply-to')
  assert.equal(replyTo(await send(owner, 'asks@customer.example')), '')
  await server.client(owner.admin.accessToken).updateCompany({
    params: { id: owner.company.id },
    body: { emails: ['quality@mill.example'] },
  })
  assert.match(
    replyTo(await send(owner, 'asks@customer.example')),
    /^"?Rolling Mill"? <quality@mill\.example>$/,
  )
})

test('a mail names the company that sends it, with the address of the service', async () => {
  const owner = await verified('named-mill')
  const mail = readMessage(Buffer.from((await send(owner, 'reads@customer.example')) ?? ''))
  assert.match(mail.header('from'), /^"?Rolling Mill via localhost"? <server@localhost>$/)
})
