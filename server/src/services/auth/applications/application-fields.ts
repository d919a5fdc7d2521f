import type { Application, CreateApplication, ScopeObject, UpdateApplication } from '@millseal/contract'
import { readScopes } from '../scopes.ts'
import type { StoredApplication } from './applications.store.ts'

/** The fields that members of a company set. */
export type Field = Exclude<keyof CreateApplication | keyof UpdateApplication, 'id' | 'mode'>
type Sent = Pick<CreateApplication | UpdateApplication, Field>
type Columns = Pick<StoredApplication, Field>
type Shown = { readonly [F in Field]: Application[F] }

type Column<F extends Field> = {
  write(value: Exclude<Sent[F], undefined>): Columns[F]
  read(column: Columns[F]): Shown[F]
}

const text = { write: (value: string) => value, read: (column: string) => column }

const scopes = {
  write: (value: ScopeObject) => JSON.stringify(readScopes(value)),
  read: (column: string): ScopeObject => JSON.parse(column),
}

/**
 * Insert, update, response, events and audit details follow from this list. A field that is missing here, in a shape of
 * the contract or in the table is a type error.
 */
const columns: { readonly [F in Field]: Column<F> } = { name: text, description: text, scopes }

const fields = Object.keys(columns) as Field[]

/** The columns of a new or changed application; undefined for fields that were not sent. */
type Written<S extends Sent> = {
  [F in Field]: undefined extends S[F] ? Columns[F] | undefined : Columns[F]
}

/** Throws `scope_unknown` or `scope_exceeded`. */
export const writeFields = <S extends Sent>(sent: S): Written<S> =>
  Object.fromEntries(fields.map((field) => [field, write(field, sent[field])])) as Written<S>

export const readFields = (application: Columns): Shown =>
  Object.fromEntries(fields.map((field) => [field, read(field, application)])) as Shown

const write = <F extends Field>(field: F, value: Sent[F]): Columns[F] | undefined =>
  value === undefined ? undefined : columns[field].write(value as Exclude<Sent[F], undefined>)

const read = <F extends Field>(field: F, application: Columns): Shown[F] =>
  columns[field].read(application[field])
