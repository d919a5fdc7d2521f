import { type Broker, type EventName, events, modeWildcards, operations, topic } from '@millseal/contract'
import { type Binding, bind } from '../../../http/binding.ts'
import type { Principal } from '../../../http/principal.ts'
import { machineHears, personHears } from '../../../ports/broker/topic-rights.ts'

export type BrokerAddresses = { readonly mqttUrl: string; readonly wsUrl: string }
type Dependencies = {
  readonly vhost: () => Promise<string>
  readonly brokerAddresses: () => BrokerAddresses
}

export const brokerRoutes = ({ vhost, brokerAddresses }: Dependencies): readonly Binding[] => [
  bind(operations.readBroker, async ({ principal, companyId }): Promise<Broker> => {
    const owner = ownerOf(principal, companyId)
    const name = await vhost()
    return {
      vhost: name,
      username: `${name}:${owner.id}`,
      clientIdPrefix: `${owner.kind}_${owner.id}_`,
      ...brokerAddresses(),
      topics: [...topicsOf(principal, companyId)],
    }
  }),
]

const ownerOf = (principal: Principal, companyId: string | undefined) =>
  companyId === undefined
    ? ({ kind: 'user', id: principal.id } as const)
    : ({ kind: 'company', id: companyId } as const)

const [everyMode] = modeWildcards

/** What a machine's token opens; to a person who asks for their company, all there is to open. */
const topicsOf = (principal: Principal, companyId: string | undefined): readonly string[] => {
  if (principal.kind !== 'user') return machineHears(principal)
  if (companyId === undefined) return personHears(principal.id)
  return events
    .filter(({ owners }) => (owners as readonly string[]).includes('company'))
    .map(({ resource, action }) =>
      topic({ owner: 'company', id: companyId, mode: everyMode, ...({ resource, action } as EventName) }),
    )
}
