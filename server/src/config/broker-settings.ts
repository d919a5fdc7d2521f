import { setting, text, url, wholeNumber } from './setting-values.ts'

const portOrOff = (value: string): number | undefined => {
  if (value === 'off') return undefined
  const port = Number(value)
  if (!/^\d+$/.test(value) || port > 65_535) throw new Error('a port from 0 to 65535, or off')
  return port
}

export const brokerSettings = {
  mqttPort: setting({
    name: 'MILLSEAL_MQTT_PORT',
    about: 'TCP port of MQTT without encryption, on this machine only; 0 takes a free one, off opens none.',
    fallback: '1883',
    read: portOrOff,
  }),
  mqttsPort: setting({
    name: 'MILLSEAL_MQTTS_PORT',
    about: 'TCP port of MQTT with TLS, on MILLSEAL_HOST; 0 takes a free one, off opens none.',
    fallback: '8883',
    read: portOrOff,
  }),
  mqttsPem: setting({
    name: 'MILLSEAL_MQTTS_PEM',
    about:
      'File with the private key and the certificates of MQTT with TLS; without it one is made in the data folder.',
    fallback: '',
    read: text,
  }),
  mqttUrl: setting({
    name: 'MILLSEAL_MQTT_URL',
    about: 'How clients reach MQTT from outside, where it is not the host of MILLSEAL_PUBLIC_URL.',
    fallback: '',
    read: url('mqtt:', 'mqtts:'),
  }),
  mqttConnections: setting({
    name: 'MILLSEAL_MQTT_CONNECTIONS',
    about: 'Most MQTT connections at a time.',
    fallback: '20000',
    read: wholeNumber(1, 1_000_000),
  }),
  mqttConnectionsPerAddress: setting({
    name: 'MILLSEAL_MQTT_CONNECTIONS_PER_ADDRESS',
    about: 'Most of them from one address.',
    fallback: '500',
    read: wholeNumber(1, 1_000_000),
  }),
  vhost: setting({
    name: 'MILLSEAL_VHOST',
    about:
      'What precedes the id in the username of MQTT; without it eight letters are made once. With AMQP_URL: the vhost of RabbitMQ.',
    fallback: '',
    read: (value): string | undefined => {
      if (!/^[\w.-]{0,64}$/.test(value))
        throw new Error('up to 64 letters, digits, dots, dashes and underscores')
      return text(value)
    },
  }),
  amqpUrl: setting({
    name: 'AMQP_URL',
    about: 'A RabbitMQ to publish to, in place of the embedded broker; see docs/mqtt.md.',
    fallback: '',
    secret: true,
    read: url('amqp:', 'amqps:'),
  }),
  brokerAuthSecret: setting({
    name: 'MILLSEAL_BROKER_AUTH_SECRET',
    about: 'Part of the address at which RabbitMQ asks who may come in; required with AMQP_URL.',
    fallback: '',
    secret: true,
    read: (value): string | undefined => {
      if (value !== '' && !/^[\w-]{32,128}$/.test(value)) {
        throw new Error(
          '32 to 128 letters, digits, dashes and underscores (for example from: openssl rand -hex 32)',
        )
      }
      return text(value)
    },
  }),
}
