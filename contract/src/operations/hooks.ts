import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { byId, Deleted } from '../shapes/common.ts'
import {
  CreateHook,
  EventRecord,
  Hook,
  HookTrial,
  HookWithSecret,
  RetriedEvents,
  RetryHook,
  TryHook,
  UpdateHook,
} from '../shapes/hooks.ts'

/** An application can only use webhooks of its own mode and for resources its scopes cover. */
const hooks = {
  service: 'pipe-service',
  variant: 'both',
  access: 'bearer',
  company: 'required',
  mode: 'record',
} as const
const update = [{ resource: 'hooks', action: 'update_one' }] as const

export const createHook = operation({
  ...hooks,
  id: 'hooks.create',
  method: 'POST',
  path: '/hooks',
  summary: 'Register a webhook',
  description: `Only this answer contains the secret for verifying signatures. A company can have ${limits.hooksPerCompany} webhooks.`,
  scope: [{ resource: 'hooks', action: 'create_one' }],
  body: { kind: 'json', schema: CreateHook },
  answer: { kind: 'json', status: 201, schema: HookWithSecret },
  errors: ['scope_unknown', 'hook_target_refused', 'hook_limit_reached'],
  secrets: ['secret'],
})

export const listHooks = operation({
  ...hooks,
  id: 'hooks.list',
  method: 'GET',
  path: '/hooks',
  summary: 'List the webhooks of the company',
  scope: [{ resource: 'hooks', action: 'read_many' }],
  answer: { kind: 'json', status: 200, schema: Type.Array(Hook) },
  list: true,
})

export const readHook = operation({
  ...hooks,
  id: 'hooks.read',
  method: 'GET',
  path: '/hooks/{id}',
  summary: 'Read a webhook and its events of the past month',
  description: 'Contains the newest 100 events. To get the others, use `/events?hook=`.',
  scope: [{ resource: 'hooks', action: 'read_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Hook },
})

export const updateHook = operation({
  ...hooks,
  id: 'hooks.update',
  method: 'PATCH',
  path: '/hooks/{id}',
  summary: 'Change a webhook',
  scope: update,
  params: byId,
  body: { kind: 'json', schema: UpdateHook },
  answer: { kind: 'json', status: 200, schema: Hook },
  errors: ['id_mismatch', 'scope_unknown', 'hook_target_refused'],
})

export const deleteHook = operation({
  ...hooks,
  id: 'hooks.delete',
  method: 'DELETE',
  path: '/hooks/{id}',
  summary: 'Delete a webhook',
  scope: [{ resource: 'hooks', action: 'delete_one' }],
  params: byId,
  answer: { kind: 'json', status: 200, schema: Deleted },
})

export const rotateHookSecret = operation({
  ...hooks,
  variant: 'current',
  id: 'hooks.rotate_secret',
  method: 'POST',
  path: '/hooks/{id}/rotate-secret',
  summary: 'Rotate the secret of a webhook',
  description: 'For a day, requests are signed with both secrets, so that receivers can switch.',
  scope: update,
  params: byId,
  answer: { kind: 'json', status: 200, schema: HookWithSecret },
  secrets: ['secret'],
})

export const testHook = operation({
  ...hooks,
  variant: 'current',
  id: 'hooks.test',
  method: 'POST',
  path: '/hooks/{id}/test',
  summary: 'Send a test event to a webhook',
  description: 'The test event is delivered like any other event. Follow it by its id.',
  scope: update,
  memberRole: 'operator',
  params: byId,
  answer: { kind: 'json', status: 201, schema: EventRecord },
  errors: ['hook_disabled', 'delivery_limit_reached'],
})

export const tryHook = operation({
  ...hooks,
  variant: 'current',
  id: 'hooks.try',
  method: 'POST',
  path: '/hooks/test',
  summary: 'Send a test event to a receiver that is not registered yet',
  description:
    'Nothing is stored but an entry of the audit log, and nothing is retried. The answer has the request and the answer of the receiver.',
  scope: [{ resource: 'hooks', action: 'create_one' }],
  body: { kind: 'json', schema: TryHook },
  answer: { kind: 'json', status: 200, schema: HookTrial },
  errors: ['hook_target_refused', 'delivery_limit_reached'],
  idempotency: 'repeatable',
})

export const retryHook = operation({
  ...hooks,
  variant: 'current',
  id: 'hooks.retry',
  method: 'POST',
  path: '/hooks/{id}/retry',
  summary: 'Retry all failed deliveries of a webhook since a time',
  description:
    'The oldest first. If the day has not enough deliveries left for all, `refused` says how many remain for another day.',
  scope: [{ resource: 'events', action: 'retry_one' }],
  memberRole: 'operator',
  params: byId,
  body: { kind: 'json', schema: RetryHook },
  answer: { kind: 'json', status: 200, schema: RetriedEvents },
  errors: ['hook_disabled', 'delivery_limit_reached'],
})
