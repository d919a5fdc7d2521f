import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { Id } from '../shapes/common.ts'
import { Session } from '../shapes/tokens.ts'

const sessions = { service: 'auth-service', variant: 'earlier', access: 'user' } as const
const bySession = Type.Object({ sessionId: Id })

export const listSessions = operation({
  ...sessions,
  id: 'sessions.list',
  method: 'GET',
  path: '/sessions',
  summary: 'List the sessions of the user',
  scope: [{ resource: 'sessions', action: 'read_many' }],
  answer: { kind: 'json', status: 200, schema: Type.Array(Session) },
  list: true,
})

export const readSession = operation({
  ...sessions,
  id: 'sessions.read',
  method: 'GET',
  path: '/sessions/{sessionId}',
  summary: 'Read a session',
  scope: [{ resource: 'sessions', action: 'read_one' }],
  params: bySession,
  answer: { kind: 'json', status: 200, schema: Session },
})

export const endAllSessions = operation({
  ...sessions,
  id: 'sessions.end_all',
  method: 'DELETE',
  path: '/sessions',
  summary: 'Sign out everywhere',
  description: 'Returns the ended sessions, including the current one.',
  scope: [{ resource: 'sessions', action: 'delete_all' }],
  answer: { kind: 'json', status: 200, schema: Type.Array(Session) },
})

export const endSession = operation({
  ...sessions,
  id: 'sessions.end',
  method: 'DELETE',
  path: '/sessions/{sessionId}',
  summary: 'End a session',
  scope: [{ resource: 'sessions', action: 'delete_one' }],
  params: bySession,
  answer: { kind: 'json', status: 200, schema: Session },
})
