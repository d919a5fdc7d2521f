import { randomUUID } from 'node:crypto'
import type { Broker } from '@millseal/contract'
import { connect, readEvent } from '@millseal/sdk'
import { connectAsync, type MqttClient } from 'mqtt'
import { command } from '../frame/command.ts'
import type { Terminal } from '../frame/terminal.ts'
import { UsageError } from '../frame/usage-error.ts'
import { forwardEvents, newSecret } from '../calls/forward-events.ts'
import { accessHelp, credentialHelp, credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const listen = command({
  options: {
    connection: { about: 'print how other MQTT clients connect, then exit' },
    'forward-to': { value: '<url>', about: 'send each event to this address, signed as a webhook is' },
    after: {
      value: '<position>',
      about: 'with --forward-to: begin after this event; default: with the next one',
    },
    ...credentialOptions,
    server: serverOption,
  },
  description: `Prints the events of a company as they arrive over MQTT, until you press Ctrl-C. With --json, each event is a line of JSON.

Prints the events that the scopes of the application allow.

With --forward-to, a receiver on this machine gets them like webhooks, without one being created: same body, id and headers.
They are signed with MILLSEAL_WEBHOOK_SECRET, or with a new secret that the command prints.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal listen --client-id hfsxW2KtYL --json | jq .payload',
    'millseal listen --client-id hfsxW2KtYL --connection',
    'millseal listen --forward-to http://localhost:3000/hook',
  ],
  async run({ values, json, environment, terminal }) {
    const baseUrl = serverAddress(values.server, environment)
    const clientId = values['client-id']
    const accessToken = await readAccessToken({ baseUrl, clientId }, environment)
    const broker = await connect({ baseUrl, accessToken }).readBroker()
    const target = values['forward-to']
    if (values.after !== undefined && target === undefined) throw new UsageError('--after needs --forward-to')
    if (target !== undefined) {
      const secret = environment['MILLSEAL_WEBHOOK_SECRET'] ?? newSecret()
      const client = connect({ baseUrl, accessToken })
      await forwardEvents({ client, target, secret, after: values.after ?? 'newest', json, terminal })
      return undefined
    }
    if (values.connection) return { result: broker, text: connectionText(broker) }
    const client = await connectAsync(broker.mqttUrl, {
      username: broker.username,
      password: accessToken,
      clientId: `${broker.clientIdPrefix}${randomUUID().slice(0, 8)}`,
      reconnectPeriod: 0,
    })
    client.on('message', (topic, payload) => printEvent(topic, payload, { json, terminal }))
    await client.subscribeAsync([...broker.topics], { qos: 1 })
    terminal.note(`Listening to ${broker.topics.join(', ')} at ${broker.mqttUrl}. Press Ctrl-C to stop`)
    await untilStopped(client)
    return undefined
  },
})

const connectionText = ({ mqttUrl, wsUrl, username, clientIdPrefix, topics }: Broker): string =>
  [
    ['address', mqttUrl],
    ['in browsers', wsUrl],
    ['username', username],
    ['password', 'an access token: millseal token'],
    ['client id', `starts with ${clientIdPrefix}`],
    ...topics.map((topic) => ['topic', topic]),
  ]
    .map(([name = '', value]) => `${name.padEnd(13)}${value}\n`)
    .join('')

const printEvent = (
  topic: string,
  payload: Uint8Array,
  { json, terminal }: { readonly json: boolean; readonly terminal: Terminal },
): void => {
  const text = Buffer.from(payload).toString('utf8')
  if (json) {
    const event = readEvent(topic, payload) ?? { payload: text }
    terminal.printJson({ topic, ...event })
  } else terminal.print(`${topic} ${text}\n`)
}

/** Rejects if the broker closes the connection, for example because the token has expired. */
const untilStopped = async (client: MqttClient): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.once('close', () => reject(new Error('the broker closed the connection')))
  client.on('error', reject)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  await promise
  client.removeAllListeners('close')
  await client.endAsync(true)
}
