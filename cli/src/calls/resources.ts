import { type Operation, operations } from '@millseal/contract'
import { nearest } from '@millseal/contract/nearest'
import type { Client, OperationName } from '@millseal/sdk'
import { UsageError } from '../frame/usage-error.ts'

/** What can be listed, and what can be read by its id: as the ids of the operations say. */
export type Resource = { readonly name: OperationName; readonly operation: Operation }

const resourcesOf = (verb: 'list' | 'read'): ReadonlyMap<string, Resource> =>
  new Map(
    Object.entries<Operation>(operations).flatMap(([name, operation]) => {
      const [resource = '', does] = operation.id.split('.')
      const isMeant =
        does === verb &&
        operation.method === 'GET' &&
        parametersOf(operation) === (verb === 'list' ? '' : 'id')
      return isMeant && operation.answer.kind === 'json'
        ? [[resource.replaceAll('_', '-'), { name: name as OperationName, operation }] as const]
        : []
    }),
  )

const parametersOf = ({ path }: Operation): string =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).join()

export const namesOf = (verb: 'list' | 'read'): readonly string[] => [...resourcesOf(verb).keys()].toSorted()

export const findResource = (verb: 'list' | 'read', given: string): Resource => {
  const all = resourcesOf(verb)
  const found = all.get(given) ?? all.get(`${given}s`)
  if (found !== undefined) return found
  const meant = nearest(given, [...all.keys()])
  const guess = meant === undefined ? `use one of ${namesOf(verb).join(', ')}` : `did you mean ${meant}?`
  throw new UsageError(`${given} is nothing to ${verb === 'list' ? 'list' : 'get'}: ${guess}`)
}

type Asked = {
  readonly params?: { readonly id: string }
  readonly query: Readonly<Record<string, string | number | undefined>>
  readonly company?: string | undefined
  readonly onHeaders?: (headers: Headers) => void
}

/** The client has a function for each operation; which one is known only here. */
export const ask = async <Answer>(client: Client, { name }: Resource, asked: Asked): Promise<Answer> =>
  await (client[name] as unknown as (call: Asked) => Promise<Answer>)(asked)

/** Values as a person reads them in one line. */
export const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
