import assert from 'node:assert/strict'
import type { DecideInbox, Identity, InboxEntry, Mode } from '@millseal/contract'
import { sampleCertificate } from './certificates.ts'
import { eventually } from './eventually.ts'
import { newLiveOwner, newOwner, type Owner } from './machines.ts'
import { notarizeSample, publishIdentity } from './offline.ts'
import { signUpOperator, verifyCompany } from './people.ts'
import { newIdentity } from './signers.ts'
import type { TestServer } from './test-server.ts'
import { eventsOf } from './traces.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Seat = { readonly token?: string; readonly mode?: Mode }

/** The desk of a company, as a member or a machine uses it. */
export const deskOf = (
  server: TestServer,
  { company, admin }: Owner,
  { token = admin.accessToken, mode = 'test' }: Seat = {},
) => {
  const client = server.client(token)
  const header = { company: company.id }
  const one = (id: string) => ({ ...header, params: { id } })
  return {
    client,
    file: (content: string | Bytes, query: { against?: string; fileName?: string } = {}) =>
      client.fileCertificate({
        ...header,
        query: { mode, ...query },
        document: new Blob([content], {
          type: typeof content === 'string' ? 'application/json' : 'application/pdf',
        }),
      }),
    list: (query: object = {}) => client.listInbox({ ...header, query: { mode, ...query } }),
    counts: () => client.countInbox({ ...header, query: { mode } }),
    read: (id: string) => client.readInboxEntry(one(id)),
    decide: (body: DecideInbox) => client.decideInbox({ ...header, body }),
    undo: (id: string) => client.undoInboxDecision(one(id)),
    check: (ids: string[], against?: string) => client.checkInbox({ ...header, body: { ids, against } }),
    require: (name: string, max = '0.20') =>
      client.keepRequirement({ ...header, body: { name, rules: [{ of: 'C', max, unit: '%' }] } }),
    download: (id: string, type: 'json' | 'pdf') =>
      bytesAt(`${server.url}/api/inbox/${id}/file?type=${type}`, { token, company: company.id }),
  }
}

/** A reviewed mill with a published identity, whose certificates are genuine as far as test mode goes. */
export const openSupplier = async (server: TestServer, username: string) => {
  const mill = await newLiveOwner(server, username)
  const operator = await signUpOperator(server)
  const client = server.client(mill.admin.accessToken)
  const company = mill.company.id
  const identity: Identity = await newIdentity(client, company)
  await publishIdentity(client, { company, identity })
  return {
    mill,
    client,
    identity,
    notarize: (receiver?: Owner, number?: string) =>
      notarizeSample(client, {
        company,
        identity,
        certificate: sampleCertificate({
          number,
          receiver: receiver === undefined ? {} : { vatId: receiver.company.vatId },
        }),
      }),
    pdfOf: (id: string) =>
      bytesAt(`${server.url}/api/certificates/${id}/pdf`, { token: mill.admin.accessToken, company }),
    review: (owner: Owner) => verifyCompany(server, operator, owner.company.id),
    newReceiver: async (name: string): Promise<Owner> => {
      const owner = await newOwner(server, name)
      await verifyCompany(server, operator, owner.company.id)
      return owner
    },
  }
}

export type Supplier = Awaited<ReturnType<typeof openSupplier>>

/** The entry of a certificate that was notarized for a company, once it is answered. */
export const answered = (server: TestServer, owner: Owner, certificate: string): Promise<InboxEntry> =>
  eventually(
    async () =>
      (await deskOf(server, owner).list()).find(
        (one) => one.certificate === certificate && one.advice !== undefined,
      ),
    { what: 'the entry of a notarized certificate is answered' },
  )

/** What a company hears of the desk, oldest first. */
export const deskEventsOf = async (server: TestServer, companyId: string) =>
  (await eventsOf(server, companyId))
    .filter(({ topic }) => topic.includes('/inbox/'))
    .map(({ topic, payload }) => ({
      action: topic.split('/').at(-1),
      payload: payload as { readonly reason?: string; readonly verdict?: string },
    }))

const bytesAt = async (
  url: string,
  { token, company }: { readonly token: string; readonly company: string },
): Promise<Bytes> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}`, company } })
  assert.equal(response.status, 200)
  return new Uint8Array(await response.arrayBuffer())
}
