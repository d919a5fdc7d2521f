import { type EventDeclaration, events, type TopicOwner } from '../topics.ts'
import { modes } from '../vocabulary.ts'
import { license } from './prose.ts'
import { createSchemaComponents, type JsonMap, type SchemaComponents } from './schemas.ts'

const description = `The events of the service, as MQTT messages. Clients can only subscribe; the broker rejects messages that clients publish.

**Signing in.** The username is \`<vhost>:<user id>\` or \`<vhost>:<company id>\`, the password is the access token. \`GET /api/broker\` returns vhost, addresses and topics for the caller. A client id that starts with \`user_<id>_\` or \`company_<id>_\` belongs to that user or company.

**Topics.** Users can subscribe to everything under their own id, applications to what their scopes allow. \`+\` as the mode means both.

**Sessions.** With QoS 1 and a persistent session (clean = false), the broker stores messages for 30 minutes. A message can arrive twice; the payload is then the same.`

const idParameter: Readonly<Record<TopicOwner, string>> = { user: 'userId', company: 'companyId' }

type Channel = EventDeclaration & {
  readonly owner: TopicOwner
  readonly name: string
  readonly message: string
}

const channelsOf = (event: EventDeclaration): Channel[] =>
  event.owners.map((owner) => ({
    ...event,
    owner,
    name: `${owner}.${event.resource}.${event.action}`,
    message: `${event.resource}.${event.action}`,
  }))

const everyChannel: readonly Channel[] = events.flatMap(channelsOf)

const writeChannel = ({ owner, resource, action, message, summary }: Channel): JsonMap => ({
  address: `${owner}/{${idParameter[owner]}}/{mode}/${resource}/${action}`,
  summary,
  messages: { event: { $ref: `#/components/messages/${message}` } },
  parameters: {
    [idParameter[owner]]: { $ref: `#/components/parameters/${idParameter[owner]}` },
    mode: { $ref: '#/components/parameters/mode' },
  },
})

const writeOperation = ({ name, summary, owner, scope, otherScopes, variants }: Channel): JsonMap => ({
  action: 'send',
  channel: { $ref: `#/channels/${name}` },
  summary,
  description:
    owner === 'company'
      ? `Requires the scope ${[scope, ...otherScopes].map(({ resource, action }) => `\`${resource}:${action}\``).join(' or ')}.`
      : 'Only for the user.',
  messages: [{ $ref: `#/channels/${name}/messages/event` }],
  bindings: { mqtt: { qos: 1 } },
  'x-variants': [...variants],
})

const writeMessage = ({ message, summary, payload }: Channel, components: SchemaComponents): JsonMap => ({
  name: message,
  summary,
  contentType: 'application/json',
  payload: components.write(payload),
})

const server = (fields: JsonMap) => ({
  ...fields,
  variables: { host: { default: 'localhost', description: 'The host of the broker' } },
  security: [{ $ref: '#/components/securitySchemes/password' }],
})

const byName = <T>(write: (channel: Channel) => T, key: (channel: Channel) => string = ({ name }) => name) =>
  Object.fromEntries(everyChannel.map((channel) => [key(channel), write(channel)]))

/** The events as an AsyncAPI 3.0 document. */
export const emitAsyncApi = (): JsonMap => {
  const components = createSchemaComponents()
  const messages = byName(
    (channel) => writeMessage(channel, components),
    ({ message }) => message,
  )
  return {
    asyncapi: '3.0.0',
    info: { title: 'Millseal events', version: '1.0.0', description, license: { name: license.name } },
    defaultContentType: 'application/json',
    servers: {
      mqtt: server({ host: '{host}:8883', protocol: 'mqtts', description: 'MQTT 3.1.1 over TLS' }),
      websocket: server({
        host: '{host}',
        pathname: '/ws/mqtt',
        protocol: 'wss',
        description: 'MQTT 3.1.1 over WebSocket',
      }),
    },
    channels: byName(writeChannel),
    operations: byName(writeOperation),
    components: {
      messages,
      parameters: {
        userId: { description: 'The id of the user' },
        companyId: { description: 'The id of the company' },
        mode: { description: 'The mode of the resource, or of the acting token', enum: [...modes] },
      },
      securitySchemes: {
        password: {
          type: 'userPassword',
          description: 'The username is `<vhost>:<id>`, the password is the access token',
        },
      },
      schemas: components.all(),
    },
  }
}
