import type { Application, CreateHook, EventRecord, HookWithSecret } from '@millseal/contract'
import { listedOnce } from './eventually.ts'
import { startOwnServer, type TestServer, type TestServerOptions } from './test-server.ts'
import { newApplication, newOwner, type Owner } from './machines.ts'

/** A server whose webhooks may have receivers on this machine. */
export const startWebhookServer = (options: TestServerOptions = {}): Promise<TestServer> =>
  startOwnServer({
    ...options,
    environment: { MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8', ...options.environment },
  })

/** An owner with an application that can be changed any number of times: each change is an event of test mode. */
export type Eventful = Owner & {
  readonly application: Application
  /** One event each, in this order: their names are in the payloads. */
  produce(...names: readonly string[]): Promise<void>
}

export const newEventfulOwner = async (server: TestServer, username: string): Promise<Eventful> => {
  const owner = await newOwner(server, username)
  const application = await newApplication(server, owner)
  let { admin } = owner
  return {
    ...owner,
    get admin() {
      return admin
    },
    async signInAgain() {
      admin = await owner.signInAgain()
      return admin
    },
    application,
    async produce(...names) {
      for (const name of names) {
        await server.client(admin.accessToken).updateApplication({
          params: { id: application.id },
          company: owner.company.id,
          body: { name },
        })
      }
    },
  }
}

const changes = [{ resource: 'applications', actions: ['update_one'] }]

export const newHook = (
  server: TestServer,
  { admin, company }: Pick<Owner, 'admin' | 'company'>,
  body: Partial<CreateHook> & Pick<CreateHook, 'connectionUrl'>,
): Promise<HookWithSecret> =>
  server
    .client(admin.accessToken)
    .createHook({ company: company.id, body: { scopes: changes, mode: 'test', ...body } })

/** The events of a hook once they satisfy, oldest first. */
export const eventsOnce = async (
  server: TestServer,
  { admin, company }: Pick<Owner, 'admin' | 'company'>,
  hookId: string,
  satisfied: (events: readonly EventRecord[]) => boolean,
): Promise<readonly EventRecord[]> => {
  const client = server.client(admin.accessToken)
  const query = { hook: hookId, limit: 1_000 }
  const events = await listedOnce(() => client.listEvents({ company: company.id, query }), satisfied)
  return events.toReversed()
}
