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
  description: 'Its client secret is shown this once. A company has at most six applications.',
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
  summary: 'The applications of the company',
  description:
    'Those of both modes, unless the query names one; live ones only where live resources are within reach.',
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
  description: 'The mode never changes. New scopes hold for tokens issued before as well.',
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
  description: 'Its access token stops working.',
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
  summary: 'Give an application a new secret',
  description: 'The client id stays; the old secret and the access token in use stop working.',
  scope: [{ resource: 'applications_secrets', action: 'rotate' }],
  mode: 'record',
  params: byId,
  body: { kind: 'json', schema: input('RotateSecretDto', {}), optional: true },
  answer: { kind: 'json', status: 200, schema: ApplicationWithSecret },
  secrets: ['clientSecret'],
})
