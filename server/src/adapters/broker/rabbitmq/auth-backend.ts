import type { TopicOwner } from '@millseal/contract'
import { Secret } from '../../../lib/secret.ts'
import type { BrokerGuest, Gatekeeper } from '../../../ports/broker/broker.ts'
import { maySubscribe } from '../../../ports/broker/topic-rights.ts'

export const questions = ['user', 'vhost', 'resource', 'topic'] as const
export type Question = (typeof questions)[number]
/** What RabbitMQ sends; a name that is missing is an empty text. */
export type Form = Readonly<Record<string, string>>

/**
 * Answers rabbitmq_auth_backend_http. The token is only shown to `user`; what it opens comes back with the other
 * questions as tags, each the part of a topic after its owner. Tags become atoms in RabbitMQ, which are never freed:
 * they are names of events, never ids.
 */
export const createAuthBackend =
  (gatekeeper: Gatekeeper, vhost: () => Promise<string>) =>
  async (question: Question, form: Form): Promise<string> => {
    if (question === 'user') return answerUser(gatekeeper, form)
    if (form['vhost'] !== (await vhost())) return deny
    const hearer = hearerOf(form)
    if (hearer === undefined) return deny
    if (question === 'vhost') return allow
    return (question === 'resource' ? mayUse(hearer, form) : mayRead(hearer, form)) ? allow : deny
  }

const allow = 'allow'
const deny = 'deny'
const exchange = 'amq.topic'

type Hearer = Pick<BrokerGuest, 'owner' | 'hears'>

const answerUser = async (gatekeeper: Gatekeeper, form: Form): Promise<string> => {
  const { username = '', vhost = '', password = '', client_id: clientId = '' } = form
  const guest = await gatekeeper.admit({
    username: `${vhost}:${username}`,
    password: new Secret(password),
    clientId,
  })
  // A queue is named after the client id alone, so that one of free form could be that of somebody else.
  if (typeof guest === 'string' || !clientId.startsWith(prefixOf(guest.owner))) return deny
  return [allow, guest.owner.kind, ...guest.hears.flatMap(tagOf)].join(' ')
}

const prefixOf = ({ kind, id }: BrokerGuest['owner']): string => `${kind}_${id}_`

const tagOf = (filter: string): string[] => {
  const [, , ...rest] = filter.split('/')
  return rest.includes('#') ? [] : [rest.join('.')]
}

/** Who the tags of an earlier answer stand for. */
const hearerOf = ({ username = '', tags = '' }: Form): Hearer | undefined => {
  const [kind, ...names] = tags.split(' ').toSorted(byKindFirst)
  if (kind !== 'user' && kind !== 'company') return undefined
  const owner = { kind, id: username } as const
  return {
    owner,
    hears:
      kind === 'user'
        ? [`user/${username}/#`]
        : names.map((name) => `company/${username}/${name.replaceAll('.', '/')}`),
  }
}

const kinds: readonly string[] = ['user', 'company'] satisfies TopicOwner[]
/** RabbitMQ does not promise an order. */
const byKindFirst = (one: string, other: string): number =>
  Number(kinds.includes(other)) - Number(kinds.includes(one))

/** Their own queues, and reading the one exchange: nobody but us writes to it. */
const mayUse = ({ owner }: Hearer, { resource, name = '', permission }: Form): boolean => {
  if (resource === 'exchange') return name === exchange && permission === 'read'
  const clientId = /^mqtt-subscription-(.+)qos[01]$/s.exec(name)?.[1]
  return resource === 'queue' && clientId !== undefined && clientId.startsWith(prefixOf(owner))
}

/** A routing key has dots for slashes, and stars for the plus of MQTT. */
const mayRead = (hearer: Hearer, { name, permission, routing_key: key = '' }: Form): boolean =>
  permission === 'read' &&
  name === exchange &&
  maySubscribe(hearer, key.replaceAll('.', '/').replaceAll('*', '+'))
