import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import { isFromOwnPages } from '../sessions/same-origin.ts'

export type Field = (name: string, maxLength?: number) => string

/** Ties a form to the one sign-in and step it was made for: that of another sign-in, or of another site, does not fit. */
export const formProof = (key: string, signIn: string, step: string): string =>
  createHmac('sha256', key).update(`${step}\n${signIn}`).digest('base64url')

/** The fields of a form that we made for this sign-in, sent from our page. What is too long is as good as missing. */
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
    throw new Problem('validation_failed', { details: ['This form was not sent from our page'] })
  }
  return field
}

const isSame = (given: string, expected: string): boolean => {
  const bytes = Buffer.from(given)
  const wanted = Buffer.from(expected)
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
}
