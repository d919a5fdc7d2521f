import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { byId, Deleted, input, ModeValue } from '../shapes/common.ts'
import { Application, ApplicationWithSecret, CreateApplication, UpdateApplication } from '../shapes/tokens.ts'

const applications = {
  service: 'user-service',
  variant: 'current',
  access: 'user',
  company: 'required',
  liveGate: true,
} as const

export const createApplication = operation({
  ...applications,
  id: 'applications.create',
  method: 'POST',
  path: '/applications',
  summary: 'Create an application',
  description: 'Only this answer contains the client secret. A company has at most six applications.',
  scope: [{ resource: 'applications', action: 'create_one' }],
  mode: 'body',
  body: { kind: 'json', schema: CreateApplication },
  answer: { kind: 'json', status: 201, schema: ApplicationWithSecret },
  errors: ['scope_unknown', 'scope_exceeded', 'application_limit_reached'],
  secrets: ['clientSecret'],
})

export const listApplications = operation({
  ...applications,
  id: 'applications.list',
  method: 'GET',
  path: '/applications',
  summary: 'List the applications of the company',
  description:
    'Without `mode`, the answer contains the applications of both modes, but live ones only if the caller may use live mode.',
  scope: [{ resource: 'applications', action: 'read_many' }],
  mode: 'record',
  query: Type.Object({ mode: Type.Optional(ModeValue) }),
  answer: { kind: 'json', status: 200, schema: Type.Array(Application) },
  list: true,
})

export const readApplication = operation({
  ...applications,
  id: 'applications.read',
  method: 'GET',
  path: '/applications/{id}',
  summary: 'Read an application',
  scope: [{ resource: 'applications', action: 'read_one' }],
  mode: 'record',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Application },
})

export const updateApplication = operation({
  ...applications,
  id: 'applications.update',
  method: 'PATCH',
  path: '/applications/{id}',
  summary: 'Change name, description or scopes of an application',
  description: 'The mode never changes. New scopes also apply to tokens issued earlier.',
  scope: [{ resource: 'applications', action: 'update_one' }],
  mode: 'record',
  params: byId,
  body: { kind: 'json', schema: UpdateApplication },
  answer: { kind: 'json', status: 200, schema: Application },
  errors: ['id_mismatch', 'scope_unknown', 'scope_exceeded'],
})

export const deleteApplication = operation({
  ...applications,
  id: 'applications.delete',
  method: 'DELETE',
  path: '/applications/{id}',
  summary: 'Delete an application',
  description: 'The access token of the application stops working.',
  scope: [{ resource: 'applications', action: 'delete_one' }],
  mode: 'record',
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
})

export const rotateApplicationSecret = operation({
  ...applications,
  id: 'applications.rotate_secret',
  method: 'POST',
  path: '/applications/{id}/rotate-secret',
  summary: 'Rotate the secret of an application',
  description: 'The client id stays the same. The old secret and the current access token stop working.',
  scope: [{ resource: 'applications_secrets', action: 'rotate' }],
  mode: 'record',
  params: byId,
  body: { kind: 'json', schema: input('RotateSecretDto', {}), optional: true },
  answer: { kind: 'json', status: 200, schema: ApplicationWithSecret },
  secrets: ['clientSecret'],
})
