import { type EventName, events, type Mode, modes, modeWildcards, topic } from '@millseal/contract'
import { isTopicFilter, matchesTopic } from '../../lib/topic-filter.ts'
import type { BrokerGuest } from './broker.ts'

type Hearer = Pick<BrokerGuest, 'owner' | 'hears'>
type Machine = {
  readonly companyId: string
  readonly mode: Mode
  /** `resource:action`, in the catalogue's spelling. */
  readonly scopes: ReadonlySet<string>
}

/** The level of a topic that says the mode. */
const modeLevel = 2
const [, olderWildcard] = modeWildcards

/** A person hears everything of theirs. */
export const personHears = (userId: string): readonly string[] => [`user/${userId}/#`]

/** A machine hears the events its scopes name, in the mode of its token. */
export const machineHears = ({ companyId, mode, scopes }: Machine): readonly string[] =>
  events
    .filter(
      ({ scope, owners }) =>
        (owners as readonly string[]).includes('company') && scopes.has(`${scope.resource}:${scope.action}`),
    )
    .map((event) => topic({ owner: 'company', id: companyId, mode, ...nameOf(event) }))

export const mayHear = ({ hears }: Pick<BrokerGuest, 'hears'>, heard: string): boolean =>
  hears.some((filter) => matchesTopic(filter, heard))

/**
 * By sets: a filter is granted when each event it can match is theirs to hear, and it matches one at least. A wildcard
 * for the mode stands for the modes they hear: the other one is never delivered to them.
 */
export const maySubscribe = (guest: Hearer, filter: string): boolean => {
  if (!isTopicFilter(filter)) return false
  const { kind, id } = guest.owner
  if (!filter.startsWith(`${kind}/${id}/`)) return false
  if (kind === 'user') return true
  const matched = topicsOf(guest).filter((each) => matchesTopic(withMqttWildcard(filter), each))
  return matched.length > 0 && matched.every((each) => mayHear(guest, each))
}

/** Every topic a company could be told of in the modes that are heard. */
const topicsOf = ({ owner, hears }: Hearer): string[] =>
  modes
    .filter((mode) => hears.some((filter) => filter.split('/')[modeLevel] === mode))
    .flatMap((mode) =>
      events.map((event) => topic({ owner: owner.kind, id: owner.id, mode, ...nameOf(event) })),
    )

const nameOf = ({ resource, action }: (typeof events)[number]): EventName =>
  ({ resource, action }) as EventName

/** Whether a filter has the older wildcard for the mode; then its messages come under topics that say so. */
export const hasOlderWildcard = (filter: string): boolean => filter.split('/')[modeLevel] === olderWildcard

/** The topic as whoever wrote the older wildcard expects it: their client compares it with their filter as text. */
export const withOlderWildcard = (concrete: string): string => withMode(concrete, olderWildcard)

/** What a filter matches, the older wildcard read as the one of MQTT. */
export const withMqttWildcard = (filter: string): string =>
  hasOlderWildcard(filter) ? withMode(filter, '+') : filter

const withMode = (levelled: string, mode: string): string =>
  levelled
    .split('/')
    .map((level, index) => (index === modeLevel ? mode : level))
    .join('/')
