import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { machineScopes, type Mode } from '@millseal/contract'
import type { JsonValue } from '@millseal/proof'
import type { Connection } from '@millseal/sdk'
import { type DemoCompany, foundCompany } from './company.ts'
import type { DemoContext } from './context.ts'
import {
  addSecondFactor,
  createOperator,
  type DemoPerson,
  register,
  signUp,
  verifyCompany,
} from './people.ts'
import { type Issued, steelCertificate, variedSample } from './tour-certificates.ts'

export type Tour = {
  readonly mill: DemoCompany
  readonly receiver: DemoCompany
  readonly manager: DemoPerson
  /** Has not signed in: the server limits that per minute. */
  readonly clerk: Omit<DemoPerson, 'connection'>
  readonly buyer: DemoPerson
  readonly operator: DemoPerson
  readonly certificates: number
}

/** How many certificates each submits: as many as the rate limit allows in a minute. */
const perSubmitter = 10
/** The first is the manager, because a further application would exceed the limit of tokens after `millseal demo`. */
const submitters: readonly Mode[] = ['live', 'test', 'test', 'live', 'live']

/** Leaves two companies with members, keys, certificates of every family and deliveries that failed. */
export const giveTour = async (context: DemoContext): Promise<Tour> => {
  const suffix = randomBytes(2).toString('hex')
  const manager = await signUp(context, { username: `manager-${suffix}` })
  const clerk = await register(context, { username: `clerk-${suffix}` })
  const buyer = await signUp(context, { username: `buyer-${suffix}` })
  const found = (person: DemoPerson, name: string) =>
    foundCompany(context, { person: person.connection, name: `${name} ${suffix}`, email: person.email })
  const mill = await found(manager, 'Demo Rolling Mill')
  const receiver = await found(buyer, 'Demo Bridge Works')
  const operator = await createOperator(context)
  for (const company of [mill, receiver]) await verifyCompany(context, operator, company.id)
  // A third company waits for its review.
  await found(buyer, 'Demo Pipe Trade')
  const secret = await addSecondFactor(manager.connection)
  await manager.connection.addMember({
    params: { id: mill.id },
    body: { email: clerk.email, role: 'clerk' },
  })
  const tour = { mill, receiver, manager: { ...manager, secret }, clerk, buyer, operator }
  const identities = await createKeys(context, tour)
  await addHooks(context, tour)
  const certificates = await issue(context, tour, identities)
  await correct(context, tour)
  return { ...tour, certificates }
}

type People = Omit<Tour, 'certificates'>
type Identities = Readonly<Record<Mode, readonly string[]>>

const departments = ['Plate mill', 'Steel works']

const createKeys = async ({ steps }: DemoContext, { mill, manager }: People): Promise<Identities> => {
  const { connection } = manager
  const company = mill.id
  const inMode = async (mode: Mode): Promise<string[]> => {
    const query = { mode }
    const wallet = await connection.createWallet({
      company,
      query,
      body: { name: `Keys of ${mill.name}`.slice(0, 64) },
    })
    const made: string[] = []
    for (const [account, name] of departments.entries()) {
      const body = { coinType: 822, account, wallet: wallet.id, name }
      const { id } = await connection.createIdentity({ company, query, body })
      await connection.notarizeIdentity({ company, query, params: { identityId: id } })
      made.push(id)
    }
    return made
  }
  return await steps.step('create wallets and public identities in both modes', async () => ({
    test: await inMode('test'),
    live: await inMode('live'),
  }))
}

/** One webhook that nobody answers, and one mail hook. */
const addHooks = async ({ steps }: DemoContext, { mill, manager }: People): Promise<void> => {
  const scopes = [{ resource: 'certificates', actions: ['notarize_one', 'withdraw_one'] }]
  await steps.step('create a webhook that fails, and a mail hook', async () => {
    await manager.connection.createHook({
      company: mill.id,
      body: { name: 'ERP system', connectionUrl: 'https://erp.demo.example.com/millseal', scopes },
    })
    await manager.connection.createMailHook({ company: mill.id, body: { description: 'Sales', scopes } })
  })
}

const issue = async (context: DemoContext, people: People, identities: Identities): Promise<number> => {
  const { connectWith, steps, installation } = context
  const { mill, manager, receiver } = people
  const samples = [...(await installation.samples()).values()] as readonly JsonValue[]
  const issued: Issued = {
    seller: mill,
    buyer: receiver,
    issuedOn: new Date().toISOString().slice(0, 10),
  }
  const connectApplication = async (mode: Mode, index: number): Promise<Connection> => {
    const credentials = await manager.connection.createApplication({
      company: mill.id,
      body: {
        name: `${['', 'Laboratory', 'Night shift', 'ERP', 'Archive'][index]} (${mode})`,
        mode,
        scopes: { certificates: { actions: [...(machineScopes.certificates ?? [])] } },
      },
    })
    return connectWith({ credentials, company: mill.id })
  }
  await steps.step('submit certificates of every family by four applications and a person', () =>
    Promise.all(
      submitters.map(async (mode, submitter) => {
        const machine = submitter === 0 ? manager.connection : await connectApplication(mode, submitter)
        for (let at = 0; at < perSubmitter; at += 1) {
          const index = submitter * perSubmitter + at
          const sample = at < 5 ? undefined : samples[(at - 5) % samples.length]
          const certificate =
            sample === undefined ? steelCertificate(index, issued) : variedSample(sample, index, issued)
          await machine.notarizeCertificate({
            company: mill.id,
            query: { mode, identity: identities[mode][index % 2] ?? '' },
            document: new Blob([JSON.stringify(certificate)], { type: 'application/json' }),
          })
        }
      }),
    ),
  )
  const count = submitters.length * perSubmitter
  await steps.step('wait until all are notarized', () => waitForAll(people, count))
  return count
}

const pollMs = 4_000
const timeoutMs = 180_000

const waitForAll = async ({ mill, manager }: People, count: number): Promise<void> => {
  const until = performance.now() + timeoutMs
  for (;;) {
    const lists = await Promise.all(
      (['test', 'live'] as const).map((mode) =>
        manager.connection.listCertificates({ company: mill.id, query: { mode, state: 'notarized' } }),
      ),
    )
    if (lists.flat().length >= count) return
    if (performance.now() > until) throw new Error('some certificates are not notarized after three minutes')
    await pause(pollMs)
  }
}

/** Withdraws and replaces some, each for a reason that a mill would give. */
const correct = async ({ steps }: DemoContext, { mill, manager }: People): Promise<void> => {
  const { connection } = manager
  await steps.step('withdraw three certificates and replace two', async () => {
    const all = await connection.listCertificates({ company: mill.id, query: { mode: 'live' } })
    for (const { id } of all.slice(2, 5)) {
      const body = { reason: 'The material was scrapped before delivery' }
      await connection.withdrawCertificate({ company: mill.id, params: { id }, body })
    }
    for (const at of [6, 8]) {
      const [old, replacement] = [all[at], all[at + 1]]
      if (old === undefined || replacement === undefined) continue
      const body = { replacedBy: replacement.id, reason: 'The heat number was mistyped' }
      await connection.replaceCertificate({ company: mill.id, params: { id: old.id }, body })
    }
  })
}
