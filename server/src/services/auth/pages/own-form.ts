import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { because } from '@millseal/contract/reasons'
import { Problem } from '../../../lib/problem.ts'
import { isFromOwnPages } from '../../../http/same-origin.ts'

export type Field = (name: string, maxLength?: number) => string

/** Binds a form to one sign-in and one step, so that a form of another sign-in or of another site is rejected. */
export const formProof = (key: string, signIn: string, step: string): string =>
  createHmac('sha256', key).update(`${step}\n${signIn}`).digest('base64url')

/** Returns the fields of a form of this sign-in, sent from a page of this server. A value that is too long is empty. */
export const readOwnForm = (
  request: FastifyRequest,
  { proof, publicUrl }: { proof: string; publicUrl: string },
): Field => {
  const body = (request.body ?? {}) as Readonly<Record<string, unknown>>
  const field: Field = (name, maxLength = 128) => {
    const value = body[name]
    return typeof value === 'string' && value.length <= maxLength ? value : ''
  }
  if (!isSame(field('proof'), proof) || !isFromOwnPages(request, publicUrl)) {
    throw new Problem('validation_failed', { reasons: [because('form_of_this_server')] })
  }
  return field
}

const isSame = (given: string, expected: string): boolean => {
  const bytes = Buffer.from(given)
  const wanted = Buffer.from(expected)
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
}
