import { type EventName, events, type Mode, modes, modeWildcards, topic } from '@millseal/contract'
import { isTopicFilter, matchesTopic } from '../../lib/topic-filter.ts'
import type { BrokerRights } from './broker.ts'

/** The level of a topic that contains the mode. */
const modeLevel = 2
const [, olderWildcard] = modeWildcards

/** A person may hear all of their own events. */
export const personHears = (userId: string): readonly string[] => [`user/${userId}/#`]

/** A machine may hear the events that its scopes cover, in the mode of its token. */
export const machineHears = ({
  companyId,
  mode,
  scopes,
}: {
  readonly companyId: string
  readonly mode: Mode
  /** `resource:action`, in the spelling of the catalogue. */
  readonly scopes: ReadonlySet<string>
}): readonly string[] =>
  events
    .filter(
      ({ scope, otherScopes, owners }) =>
        (owners as readonly string[]).includes('company') &&
        [scope, ...otherScopes].some(({ resource, action }) => scopes.has(`${resource}:${action}`)),
    )
    .map((event) => topic({ owner: 'company', id: companyId, mode, ...nameOf(event) }))

/** A member of a company may hear all of its events, in these modes. */
export const memberHears = (companyId: string, heard: readonly Mode[]): readonly string[] =>
  events
    .filter(({ owners }) => (owners as readonly string[]).includes('company'))
    .flatMap((event) =>
      heard.map((mode) => topic({ owner: 'company', id: companyId, mode, ...nameOf(event) })),
    )

export const mayHear = ({ hears }: { readonly hears: readonly string[] }, heard: string): boolean =>
  hears.some((filter) => matchesTopic(filter, heard))

/**
 * A filter is granted if it matches at least one event, and the client may hear every event it matches. A wildcard for the
 * mode matches the modes that the client may hear: events of the other mode are never delivered.
 */
export const maySubscribe = (rights: BrokerRights, filter: string): boolean => {
  if (!isTopicFilter(filter)) return false
  const { kind, id } = rights.owner
  if (!filter.startsWith(`${kind}/${id}/`)) return false
  if (kind === 'user') return true
  const matched = topicsOf(rights).filter((each) => matchesTopic(withMqttWildcard(filter), each))
  return matched.length > 0 && matched.every((each) => mayHear(rights, each))
}

/** All topics of a company in the modes that the client may hear. */
const topicsOf = ({ owner, hears }: BrokerRights): string[] =>
  modes
    .filter((mode) => hears.some((filter) => filter.split('/')[modeLevel] === mode))
    .flatMap((mode) =>
      events.map((event) => topic({ owner: owner.kind, id: owner.id, mode, ...nameOf(event) })),
    )

const nameOf = ({ resource, action }: (typeof events)[number]): EventName =>
  ({ resource, action }) as EventName

/** If a filter has the older wildcard for the mode, its messages have that wildcard in their topic. */
export const hasOlderWildcard = (filter: string): boolean => filter.split('/')[modeLevel] === olderWildcard

/** The topic that clients with the older wildcard expect: they compare it with their filter as text. */
export const withOlderWildcard = (concrete: string): string => withMode(concrete, olderWildcard)

/** The filter with the older wildcard replaced by that of MQTT. */
export const withMqttWildcard = (filter: string): string =>
  hasOlderWildcard(filter) ? withMode(filter, '+') : filter

const withMode = (levelled: string, mode: string): string =>
  levelled
    .split('/')
    .map((level, index) => (index === modeLevel ? mode : level))
    .join('/')
