import type { TopicOwner } from '@millseal/contract'
import { Secret } from '../../../lib/secret.ts'
import type { BrokerAuthenticator, BrokerRights } from '../../../ports/broker/broker.ts'
import { maySubscribe } from '../../../ports/broker/topic-rights.ts'

export const questions = ['user', 'vhost', 'resource', 'topic'] as const
export type Question = (typeof questions)[number]
/** The form that RabbitMQ sends. A missing field counts as empty. */
export type Form = Readonly<Record<string, string>>

/**
 * Answers rabbitmq_auth_backend_http. Only the question `user` contains the token. Its rights are returned as tags, which
 * RabbitMQ sends with the other questions. Each tag is the part of a topic after its owner. Tags become atoms in RabbitMQ,
 * which are never freed, so they contain names of events and never ids.
 */
export const createAuthBackend =
  (authenticator: BrokerAuthenticator, vhost: () => Promise<string>) =>
  async (question: Question, form: Form): Promise<string> => {
    if (question === 'user') return answerUser(authenticator, form)
    if (form['vhost'] !== (await vhost())) return deny
    const rights = rightsOf(form)
    if (rights === undefined) return deny
    if (question === 'vhost') return allow
    const may = question === 'resource' ? mayUse : mayRead
    return may(rights, form) ? allow : deny
  }

const allow = 'allow'
const deny = 'deny'
const exchange = 'amq.topic'

const answerUser = async (authenticator: BrokerAuthenticator, form: Form): Promise<string> => {
  const { username = '', vhost = '', password = '', client_id: clientId = '' } = form
  const grant = await authenticator.authenticate({
    username: `${vhost}:${username}`,
    password: new Secret(password),
    clientId,
  })
  // RabbitMQ names a queue after the client id alone, so an arbitrary id could be that of another owner's queue.
  if (typeof grant === 'string' || !clientId.startsWith(prefixOf(grant.owner))) return deny
  return [allow, grant.owner.kind, ...grant.hears.flatMap(tagOf)].join(' ')
}

const prefixOf = ({ kind, id }: BrokerRights['owner']): string => `${kind}_${id}_`

const tagOf = (filter: string): string[] => {
  const [, , ...rest] = filter.split('/')
  return rest.includes('#') ? [] : [rest.join('.')]
}

/** Reads the rights from the tags of an earlier answer. */
const rightsOf = ({ username = '', tags = '' }: Form): BrokerRights | undefined => {
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
/** RabbitMQ does not guarantee an order. */
const byKindFirst = (one: string, other: string): number =>
  Number(kinds.includes(other)) - Number(kinds.includes(one))

/** Clients may use their own queues and read the one exchange. Only we write to it. */
const mayUse = ({ owner }: BrokerRights, { resource, name = '', permission }: Form): boolean => {
  if (resource === 'exchange') return name === exchange && permission === 'read'
  const clientId = /^mqtt-subscription-(.+)qos[01]$/s.exec(name)?.[1]
  return resource === 'queue' && clientId !== undefined && clientId.startsWith(prefixOf(owner))
}

/** A routing key has dots instead of slashes, and `*` instead of the `+` of MQTT. */
const mayRead = (rights: BrokerRights, { name, permission, routing_key: key = '' }: Form): boolean =>
  permission === 'read' &&
  name === exchange &&
  maySubscribe(rights, key.replaceAll('.', '/').replaceAll('*', '+'))
