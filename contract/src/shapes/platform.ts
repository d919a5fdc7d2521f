import { type Static, Type } from 'typebox'
import { oneOf, output } from './common.ts'

export const Health = output('HealthDto', { status: oneOf(['ok']) })
export type Health = Static<typeof Health>

export const Readiness = output('ReadinessDto', {
  status: oneOf(['ready']),
  dependencies: Type.Array(
    output('DependencyDto', {
      name: Type.String(),
      status: oneOf(['up', 'down']),
      error: Type.Optional(Type.String()),
    }),
  ),
})
export type Readiness = Static<typeof Readiness>

export const Broker = output('BrokerDto', {
  vhost: Type.String(),
  username: Type.String({ description: '`<vhost>:<id>` of the caller; the password is the access token' }),
  clientIdPrefix: Type.String({ description: 'The prefix of every client id' }),
  mqttUrl: Type.String(),
  wsUrl: Type.String(),
  topics: Type.Array(Type.String(), { description: 'The topic filters that the caller can subscribe to' }),
})
export type Broker = Static<typeof Broker>
