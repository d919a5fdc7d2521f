import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { limits, modes } from '@millseal/contract'
import { type CertificateProcess, openCertificateProcess } from '../../../../test/certificate-service.ts'
import { sampleCertificate } from '../../../../test/certificates.ts'
import { eventually } from '../../../../test/eventually.ts'
import { newApplication, newOwner, type Owner } from '../../../../test/machines.ts'
import { mailTo, newMailHook } from '../../../../test/mail-hooks.ts'
import { answer, type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { outcomesOf } from '../../../../test/refusal.ts'
import { endedNotarization, newIdentity } from '../../../../test/signers.ts'
import type { TestServer } from '../../../../test/test-server.ts'
import { newHook, startWebhookServer } from '../../../../test/webhooks.ts'
import { readMessage } from '../../../lib/read-message.ts'
import type { CompanyMail } from '../../user/index.ts'
import { enqueueFailureMails } from './failure-mail.ts'

/** Limits of calls are those of an installation, except that of ordinary calls. */
const environment = { MILLSEAL_RATE_LIMIT: '100000', MILLSEAL_TRUST_PROXY: 'loopback' }
/** Everybody with an address here has nothing to do with the company. */
const stranger = (name: string): string => `${name}@stranger.example`
const isStranger = (address: string): boolean => address.endsWith('@stranger.example')

let server: TestServer
let process: CertificateProcess
let receiver: Receiver
let mill: Owner
let certificate: { readonly id: string; readonly next: string; readonly identity: string }
before(async () => {
  server = await startWebhookServer({ environment })
  process = await openCertificateProcess(server)
  receiver = await startReceiver({ reaction: answer(410) })
  mill = await newOwner(server, 'www.evil.example')
  await client().updateCompany({ params: { id: company() }, body: { name: 'https://evil.example/win' } })
  await mailTo(server, mill, [stranger('contact'), stranger('press')])
  const identity = await newIdentity(client(), mill.company.id)
  certificate = { id: await submit(identity.id), next: await submit(identity.id), identity: identity.id }
})
after(async () => {
  for (const part of [receiver, process, server]) await part[Symbol.asyncDispose]()
})

const client = () => server.client(mill.admin.accessToken)
const company = () => mill.company.id
const ofCertificate = () => ({ company: company(), params: { id: certificate.id } })

const submit = async (identity: string): Promise<string> => {
  const document = new Blob([JSON.stringify(sampleCertificate({ receiver: { email: stranger('buyer') } }))])
  const query = { mode: 'test', identity } as const
  const { jobId } = await client().notarizeCertificate({
    company: company(),
    query,
    document: new Blob([document], { type: 'application/json' }),
  })
  const { id } = await endedNotarization(client(), { company: company(), jobId })
  return id
}

type Kind = Parameters<CertificateProcess['deps']['users']['admitMails']>[1][number]['subject']['kind']

/** Every way of a company to cause mails, with the kind that its mails are recorded as. */
const ways: Readonly<Record<string, { readonly kind: Kind; cause(): Promise<unknown> }>> = {
  'a certificate that names them': { kind: 'certificate', cause: async () => certificate },
  'its mails again': { kind: 'certificate', cause: () => client().mailCertificateAgain(ofCertificate()) },
  'a replacement': {
    kind: 'correction',
    cause: () =>
      client().replaceCertificate({
        ...ofCertificate(),
        body: { reason: 'See https://evil.example', replacedBy: certificate.next },
      }),
  },
  'a withdrawal': {
    kind: 'correction',
    cause: () => client().withdrawCertificate({ ...ofCertificate(), body: { reason: 'Buy now' } }),
  },
  'a failed notarization': {
    kind: 'failure',
    cause: () =>
      process.deps.database.transaction((tx) =>
        enqueueFailureMails(process.deps, tx, {
          certificateId: certificate.id,
          companyId: company(),
          mode: 'test',
        }),
      ),
  },
  'a webhook that fails': {
    kind: 'webhook',
    cause: async () => {
      const { id } = await newHook(server, mill, {
        connectionUrl: receiver.url,
        notifyEmail: stranger('integrator'),
      })
      await client().testHook({ company: company(), params: { id } })
    },
  },
  'a revoked identity': {
    kind: 'revocation',
    cause: () =>
      client().revokeIdentity({
        company: company(),
        query: { mode: 'test' },
        params: { id: certificate.identity },
        body: { reason: 'Lost', since: '2026-01-01T00:00:00.000Z' },
      }),
  },
}

const recorded = (kind: Kind): Promise<CompanyMail[]> =>
  process.deps.database.query
    .selectFrom('companyMails')
    .selectAll()
    .where('companyId', '=', company())
    .where('kind', '=', kind)
    .execute()

/** All mails that were sent to strangers. */
const sentToStrangers = async () => {
  const folder = join(server.config.dataDir, 'mails')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(files.map(async (name) => readMessage(await readFile(join(folder, name)))))
  return mails.filter(({ recipients }) => recipients.some(isStranger))
}

describe('a company that nobody reviewed, in test mode, mails no stranger', () => {
  for (const [way, { kind, cause }] of Object.entries(ways)) {
    test(`by ${way}`, async () => {
      const earlier = (await recorded(kind)).filter(({ address }) => isStranger(address)).length
      await cause()
      const isFirst = way === 'a certificate that names them'
      const mails = await eventually(
        async () => {
          const found = (await recorded(kind)).filter(({ address }) => isStranger(address))
          return found.length > (isFirst ? 0 : earlier) && found
        },
        { what: `mails of the kind ${kind} are recorded`, everyMs: 100 },
      )
      assert.deepEqual([...new Set(mails.map(({ heldBack }) => heldBack))], ['test_mode'])
      await server.mailsTo(mill.admin.email, 1)
    })
  }

  test('by a mail hook', async () => {
    const hook = await newMailHook(server, mill)
    const { id } = await newApplication(server, mill)
    const change = { params: { id }, company: company(), body: { name: 'https://evil.example' } }
    await client().updateApplication(change)
    const about = { company: company(), query: { mailhook: hook.id } }
    const mail = await eventually(async () => (await client().listMails(about)).find((one) => one.delivered))
    assert.deepEqual(mail.to, [mill.admin.email])
  })

  test('by any kind of mail, in either mode', async () => {
    const kinds: Readonly<{ [K in Exclude<Kind, 'invitation'>]: K }> = {
      certificate: 'certificate',
      correction: 'correction',
      revocation: 'revocation',
      alarm: 'alarm',
      failure: 'failure',
      release: 'release',
      foreign_name: 'foreign_name',
      webhook: 'webhook',
    }
    const { users, database } = process.deps
    for (const kind of Object.values(kinds))
      for (const mode of modes) {
        const subject = { companyId: company(), mode, kind, about: randomUUID() }
        const orders = [{ subject, addresses: [stranger('any')] }]
        const mails = (await database.transaction((tx) => users.admitMails(tx, orders))).flat()
        const { heldBack } = mails.find(({ address }) => isStranger(address)) ?? assert.fail()
        assert.equal(heldBack, mode === 'test' ? 'test_mode' : 'unreviewed', `${kind} ${mode}`)
      }
  })
})

/** What a mail program makes a link of, without addresses of this service. */
const foreignAddresses = (text: string): readonly string[] => {
  const plain = text.replaceAll(server.url, '').replaceAll(/<!doctype html>|<style>[^<]*<\/style>/g, '')
  return plain.match(/\w+:\/\/[^\s"<>)]*|\bwww\.\S+|[\p{L}\p{N}-]\.(?:example|com|de)\b\S*/giu) ?? []
}

describe('the only mails to strangers are', () => {
  test('five invitations: without a file, with links to this service only', async () => {
    const invited = Array.from({ length: 7 }, (_, at) => stranger(`invited-${at}`))
    const invite = (email: string) =>
      client().createInvitation({ params: { id: company() }, body: { email, role: 'operator' } })
    const outcomes = await outcomesOf(invited.map(invite))
    assert.deepEqual(outcomes, { ok: 5, invitation_limit_reached: 2 })
    const mails = await eventually(async () => {
      const sent = await sentToStrangers()
      return sent.length >= 5 && sent
    })
    assert.equal(mails.length, 5)
    for (const { header, parts } of mails) {
      const texts = parts.filter(({ type }) => type.startsWith('text/'))
      const pictures = parts.filter(({ contentId }) => contentId !== undefined)
      assert.equal(texts.length + pictures.length, parts.length, 'no file is attached')
      assert.deepEqual(foreignAddresses(header('subject')), [])
      for (const { content } of texts) assert.deepEqual(foreignAddresses(content.toString('utf8')), [])
    }
  })

  test('confirmations of addresses that somebody registers: few a minute, with nothing chosen but the name', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.77' }
    const register = (at: number) =>
      server.client().registerUser({
        body: {
          username: `www.evil-${at}.example`,
          email: stranger(`bulk-${at}`),
          password: 'correct horse battery',
        },
        headers,
      })
    const registered = await outcomesOf(Array.from({ length: 12 }, (_, at) => register(at)))
    assert.deepEqual(registered, {
      ok: limits.credentialCallsPerMinute,
      rate_limited: 12 - limits.credentialCallsPerMinute,
    })
    const ask = (call: 'resendConfirmation' | 'requestPasswordReset') =>
      Array.from({ length: 12 }, (_, at) =>
        server.client()[call]({ params: { email: stranger(`nobody-${at}`) }, headers }),
      )
    for (const call of ['resendConfirmation', 'requestPasswordReset'] as const) {
      const outcomes = await outcomesOf(ask(call))
      assert.equal(outcomes['ok'], limits.mailCallsPerMinute, call)
    }
    const mails = await eventually(async () => {
      const sent = await sentToStrangers()
      return sent.length >= 5 + limits.credentialCallsPerMinute && sent
    })
    assert.equal(mails.length, 5 + limits.credentialCallsPerMinute)
    for (const { header, parts } of mails.filter(({ recipients }) => recipients[0]?.startsWith('bulk-')))
      for (const text of [
        header('subject'),
        header('to'),
        ...parts.map(({ content }) => content.toString('utf8')),
      ])
        assert.doesNotMatch(text, /evil/)
  })
})
