import { optionalLine, setting, text, url, wholeNumber } from './setting-values.ts'

const portOrOff = (value: string): number | undefined => {
  if (value === 'off') return undefined
  const port = Number(value)
  if (!/^\d+$/.test(value) || port > 65_535) throw new Error('a port from 0 to 65535, or off')
  return port
}

export const brokerSettings = {
  mqttPort: setting({
    name: 'MILLSEAL_MQTT_PORT',
    about:
      'TCP port for MQTT without encryption, from this machine only; 0 selects a free port, off disables it.',
    fallback: '1883',
    read: portOrOff,
  }),
  mqttsPort: setting({
    name: 'MILLSEAL_MQTTS_PORT',
    about: 'TCP port for MQTT with TLS, on MILLSEAL_HOST; 0 selects a free port, off disables it.',
    fallback: '8883',
    read: portOrOff,
  }),
  mqttsPem: setting({
    name: 'MILLSEAL_MQTTS_PEM',
    about:
      'PEM file with the private key and certificates for MQTT with TLS. Without it, one is created in the data folder.',
    fallback: '',
    read: optionalLine,
  }),
  mqttUrl: setting({
    name: 'MILLSEAL_MQTT_URL',
    about: 'URL at which clients reach MQTT, if it differs from the host of MILLSEAL_PUBLIC_URL.',
    fallback: '',
    read: url('mqtt:', 'mqtts:'),
  }),
  mqttConnections: setting({
    name: 'MILLSEAL_MQTT_CONNECTIONS',
    about: 'Maximum number of MQTT connections in total.',
    fallback: '20000',
    read: wholeNumber(1, 1_000_000),
  }),
  mqttConnectionsPerAddress: setting({
    name: 'MILLSEAL_MQTT_CONNECTIONS_PER_ADDRESS',
    about: 'Maximum number of MQTT connections per address.',
    fallback: '500',
    read: wholeNumber(1, 1_000_000),
  }),
  vhost: setting({
    name: 'MILLSEAL_VHOST',
    about:
      'Prefix of MQTT usernames; by default eight random letters, generated once. With AMQP_URL, the vhost of RabbitMQ.',
    fallback: '',
    read: (value): string | undefined => {
      if (!/^[\w.-]{0,64}$/.test(value))
        throw new Error('up to 64 letters, digits, dots, dashes and underscores')
      return text(value)
    },
  }),
  amqpUrl: setting({
    name: 'AMQP_URL',
    about: 'RabbitMQ server to use instead of the embedded broker; see docs/mqtt.md.',
    fallback: '',
    read: url('amqp:', 'amqps:'),
  }),
  brokerAuthSecret: setting({
    name: 'MILLSEAL_BROKER_AUTH_SECRET',
    about:
      'Password that RabbitMQ sends when it asks this service to authorize clients; required with AMQP_URL.',
    fallback: '',
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
