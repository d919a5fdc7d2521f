import { randomUUID } from 'node:crypto'
import type { Broker } from '@millseal/contract'
import { connect, readEvent } from '@millseal/sdk'
import { connectAsync, type MqttClient } from 'mqtt'
import { command } from '../frame/command.ts'
import type { Terminal } from '../frame/terminal.ts'
import { accessHelp, credentialHelp, credentialOptions, readAccessToken } from './credentials.ts'
import { serverAddress, serverOption } from './server-address.ts'

export const listen = command({
  options: {
    connection: { about: 'how any other MQTT client connects, and nothing more' },
    ...credentialOptions,
    server: serverOption,
  },
  details: `Prints the events of a company as they come, over MQTT, until Ctrl-C. With --json each is a line of JSON.

It sees what the scopes of the application cover.

${credentialHelp}
${accessHelp}`,
  examples: [
    'millseal listen --client-id hfsxW2KtYL --json | jq .payload',
    'millseal listen --client-id hfsxW2KtYL --connection',
  ],
  async run({ values, json, environment, terminal }) {
    const baseUrl = serverAddress(values.server, environment)
    const clientId = values['client-id']
    const accessToken = await readAccessToken({ baseUrl, clientId }, environment)
    const broker = await connect({ baseUrl, accessToken }).readBroker()
    if (values.connection) return { result: broker, said: connectionOf(broker) }
    const client = await connectAsync(broker.mqttUrl, {
      username: broker.username,
      password: accessToken,
      clientId: `${broker.clientIdPrefix}${randomUUID().slice(0, 8)}`,
      reconnectPeriod: 0,
    })
    client.on('message', (topic, payload) => show(topic, payload, { json, terminal }))
    await client.subscribeAsync([...broker.topics], { qos: 1 })
    terminal.tell(`Listening to ${broker.topics.join(', ')} at ${broker.mqttUrl}; end with Ctrl-C`)
    await untilEnd(client)
    return undefined
  },
})

const connectionOf = ({ mqttUrl, wsUrl, username, clientIdPrefix, topics }: Broker): string =>
  [
    ['address', mqttUrl],
    ['in browsers', wsUrl],
    ['username', username],
    ['password', 'an access token: millseal token'],
    ['client id', `begins with ${clientIdPrefix}`],
    ...topics.map((topic) => ['topic', topic]),
  ]
    .map(([name = '', value]) => `${name.padEnd(13)}${value}\n`)
    .join('')

type Shown = { readonly json: boolean; readonly terminal: Terminal }

const show = (topic: string, payload: Uint8Array, { json, terminal }: Shown): void => {
  const event = readEvent(topic, payload)
  const text = Buffer.from(payload).toString('utf8')
  if (json) terminal.print(`${JSON.stringify({ topic, ...event, ...(event ? {} : { payload: text }) })}\n`)
  else terminal.print(`${topic} ${text}\n`)
}

/** Rejects when the broker ends it: for instance because the token is over. */
const untilEnd = async (client: MqttClient): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.once('close', () => reject(new Error('the broker ended the connection')))
  client.on('error', reject)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  await promise
  client.removeAllListeners('close')
  await client.endAsync(true)
}
