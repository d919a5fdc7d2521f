import { type Broker, type EventName, events, modeWildcards, operations, topic } from '@millseal/contract'
import { type Binding, bindTo, type Call } from '../../../http/binding.ts'
import type { Principal } from '../../../http/principal.ts'
import { machineHears, personHears } from '../../../ports/broker/topic-rights.ts'
import type { PipeDependencies } from '../dependencies.ts'

export const brokerRoutes = (deps: PipeDependencies): readonly Binding[] => [
  bindTo(deps)(operations.readBroker, readBroker),
]

const readBroker = async (
  { vhost, brokerAddresses }: PipeDependencies,
  { principal, companyId }: Call<typeof operations.readBroker>,
): Promise<Broker> => {
  const [kind, id] = companyId === undefined ? ['user', principal.id] : ['company', companyId]
  const name = await vhost()
  return {
    vhost: name,
    username: `${name}:${id}`,
    clientIdPrefix: `${kind}_${id}_`,
    ...brokerAddresses(),
    topics: [...topicsOf(principal, companyId)],
  }
}

const [everyMode] = modeWildcards

/** The topics that the token of a machine permits; for a person who names their company, all topics of it. */
const topicsOf = (principal: Principal, companyId: string | undefined): readonly string[] => {
  if (principal.kind !== 'user') return machineHears(principal)
  if (companyId === undefined) return personHears(principal.id)
  return events
    .filter(({ owners }) => (owners as readonly string[]).includes('company'))
    .map(({ resource, action }) =>
      topic({ owner: 'company', id: companyId, mode: everyMode, ...({ resource, action } as EventName) }),
    )
}
