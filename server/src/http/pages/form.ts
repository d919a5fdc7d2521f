import { limits, type Operation } from '@millseal/contract'
import { type Markup, markup } from '@millseal/families'
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../lib/problem.ts'
import { compileFor } from '../validation.ts'

export type Field = {
  readonly name: string
  readonly label: string
  readonly type?: 'email' | 'password'
  readonly autocomplete: string
  readonly limits: { readonly minLength?: number; readonly maxLength: number }
  readonly hint?: string
  readonly value?: string
  readonly problem?: string | undefined
}

/** The problem is placed before its field, so that screen readers announce it when the page opens and with the field. */
export const formField = (field: Field): Markup => {
  const { name, label, type, autocomplete, hint, value, problem, limits: length } = field
  const described = problem ? `${name}-problem` : hint && `${name}-hint`
  return markup`<label for="${name}">${label}</label>
${
  problem
    ? markup`<p class="wrong" id="${name}-problem" role="alert">${problem}</p>`
    : hint && markup`<p class="hint" id="${name}-hint">${hint}</p>`
}
<input id="${name}" name="${name}" required autocomplete="${autocomplete}" maxlength="${length.maxLength}"${
    length.minLength && markup` minlength="${length.minLength}"`
  }${type === undefined ? markup` autocapitalize="none" spellcheck="false"` : markup` type="${type}"`}${
    value && markup` value="${value}"`
  }${problem && markup` aria-invalid="true"`}${described && markup` aria-describedby="${described}"`}>`
}

/** Screen readers read the title first. */
export const titleOf = (title: string, hasProblem: boolean, problem: string): string =>
  hasProblem ? `${problem}: ${title}` : title

/** The fields of a form that was sent. A missing one is empty. */
export const readFields = <Name extends string>(
  { body }: FastifyRequest,
  names: readonly Name[],
): Record<Name, string> => {
  const sent = (body ?? {}) as Readonly<Record<string, unknown>>
  const valueOf = (name: Name) => (typeof sent[name] === 'string' ? sent[name] : '')
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, string>
}

/** Returns a check of the fields that an operation would reject, by the schema of the operation. */
export const invalidFields = (
  schema: object,
): ((fields: Readonly<Record<string, string>>) => Set<string>) => {
  const check = compileFor('body', schema)
  return (fields) =>
    check({ ...fields })
      ? new Set()
      : new Set((check.errors ?? []).map(({ instancePath }) => instancePath.slice(1)))
}

export const isAboutUsername = ({ details }: Problem): boolean =>
  details.some((detail) => detail.startsWith('/username '))

/** The page shares the limit of the operation, so that both together allow no more calls than one. */
export const limitOf = ({ id, limit }: Operation): { limited: { bucket: string; perMinute: number } } => {
  const perMinute = limit?.perMinute
  return {
    limited: { bucket: id, perMinute: typeof perMinute === 'number' ? perMinute : limits.callsPerMinute },
  }
}

export const unlimited = { config: { unlimited: true } } as const
