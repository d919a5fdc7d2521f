import type { Application, CreateHook, EventRecord, HookWithSecret } from '@millseal/contract'
import { listedOnce } from './eventually.ts'
import { openHouse, type TestHouse, type TestHouseOptions } from './house.ts'
import { newApplication, newOwner, type Owner } from './machines.ts'

/** A house that may call receivers on this machine. */
export const openWebhookHouse = (options: TestHouseOptions = {}): Promise<TestHouse> =>
  openHouse({ ...options, environment: { MILLSEAL_WEBHOOK_ALLOW: '127.0.0.0/8', ...options.environment } })

/** An owner with something that can be changed any number of times: each change is an event of test mode. */
export type Eventful = Owner & {
  readonly application: Application
  /** One event each, in this order: their names are in the payloads. */
  produce(...names: readonly string[]): Promise<void>
}

export const newEventfulOwner = async (house: TestHouse, username: string): Promise<Eventful> => {
  const owner = await newOwner(house, username)
  const application = await newApplication(house, owner)
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
        await house.client(admin.accessToken).updateApplication({
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
  house: TestHouse,
  { admin, company }: Pick<Owner, 'admin' | 'company'>,
  body: Partial<CreateHook> & Pick<CreateHook, 'connectionUrl'>,
): Promise<HookWithSecret> =>
  house
    .client(admin.accessToken)
    .createHook({ company: company.id, body: { scopes: changes, mode: 'test', ...body } })

/** The events of a hook once they satisfy, oldest first. */
export const eventsOnce = async (
  house: TestHouse,
  { admin, company }: Pick<Owner, 'admin' | 'company'>,
  hookId: string,
  satisfied: (events: readonly EventRecord[]) => boolean,
): Promise<readonly EventRecord[]> => {
  const client = house.client(admin.accessToken)
  const query = { hook: hookId, limit: 1_000 }
  const events = await listedOnce(() => client.listEvents({ company: company.id, query }), satisfied)
  return events.toReversed()
}
