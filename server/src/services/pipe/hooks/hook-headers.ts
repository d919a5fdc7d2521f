import { type UpdateHook, webhookHeaders } from '@millseal/contract'
import { atPlace, because, type Reason } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import { Secret } from '../../../lib/secret.ts'
import type { PipeDependencies } from '../dependencies.ts'

export type HookHeader = { readonly name: string; readonly value: string }

const reserved: ReadonlySet<string> = new Set([
  ...Object.values(webhookHeaders),
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'accept-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'http2-settings',
])

/** Checks the headers of a webhook. A header without a value keeps its current one. */
export const readHeaders = (
  wanted: NonNullable<UpdateHook['headers']>,
  current: readonly HookHeader[],
): readonly HookHeader[] => {
  const seen = new Set<string>()
  return wanted.map(({ name, value }, index) => {
    const lower = name.toLowerCase()
    const refuse = (field: 'name' | 'value', reason: Reason): Problem =>
      new Problem('validation_failed', { reasons: [atPlace(`/headers/${index}/${field}`, reason)] })
    if (reserved.has(lower) || lower.startsWith('proxy-'))
      throw refuse('name', because('header_is_reserved', { name }))
    if (seen.has(lower)) throw refuse('name', because('header_is_used_twice', { name }))
    seen.add(lower)
    const final = value ?? current.find((header) => header.name.toLowerCase() === lower)?.value
    if (final === undefined) throw refuse('value', because('is_required'))
    return { name, value: final.trim() }
  })
}

const contextOf = (hookId: string): string => `hooks/${hookId}/headers`

export const encryptHeaders = (
  { keystore }: PipeDependencies,
  hookId: string,
  headers: Secret<readonly HookHeader[]>,
): Uint8Array => keystore.encrypt(Buffer.from(JSON.stringify(headers.reveal())), contextOf(hookId))

export const decryptHeaders = (
  { keystore }: PipeDependencies,
  hookId: string,
  encrypted: Uint8Array,
): Secret<readonly HookHeader[]> =>
  new Secret(JSON.parse(Buffer.from(keystore.decrypt(encrypted, contextOf(hookId))).toString('utf8')))
