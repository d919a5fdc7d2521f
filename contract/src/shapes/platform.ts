import { type Static, Type } from 'typebox'
import { processRoles, roleStates } from '../vocabulary.ts'
import { oneOf, output, Timestamp } from './common.ts'

export const Health = output('HealthDto', { status: oneOf(['ok']) })
export type Health = Static<typeof Health>

export const Readiness = output('ReadinessDto', {
  status: oneOf(['ready', 'read_only'], {
    description: 'read_only: what was stored can be read and verified; whatever stores something is 503',
  }),
  roles: Type.Array(output('RoleReadinessDto', { name: oneOf(processRoles), status: oneOf(roleStates) }), {
    description: 'Whether each role of this process can do its work',
  }),
  dependencies: Type.Array(
    output('DependencyDto', {
      name: Type.String(),
      status: oneOf(['up', 'degraded', 'down'], {
        description: 'down: a role of this process needs it; degraded: work for it waits in a queue',
      }),
      error: Type.Optional(Type.String()),
      since: Type.Optional(Timestamp),
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
