import type { Certificate, CertificateForm } from '@millseal/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { currentLanguage } from '../../texts/catalog.ts'
import type { Draft } from './drafts.ts'
import { type Schema, type Schemas, schemasAt, shapeOf } from './schema.ts'
import { below, isList, isObject, type Json, leavesOf, partsOf, readJson, withValue } from './json.ts'

/** Finds `coa` and `1.0.0` in `https://…/coa-schemas/v1.0.0/schema.json`. */
export const kindOf = (
  schemaUrl: string,
): { readonly family: string; readonly version: string } | undefined => {
  const [, family, version] = /\/([a-z0-9-]+)-schemas\/v([^/]+)\//.exec(schemaUrl) ?? []
  return family === undefined || version === undefined ? undefined : { family, version }
}

export const schemasQuery = queryOptions({
  queryKey: ['certificate-schemas'],
  queryFn: () => api.listCertificateSchemas(),
  staleTime: Infinity,
})

/** The description of the form of a family, with labels in a language and in English. */
export const formQuery = (family: string, version: string, language: string) =>
  queryOptions({
    queryKey: ['certificate-form', family, version, language],
    staleTime: Infinity,
    queryFn: (): Promise<CertificateForm> =>
      api.readCertificateForm({
        params: { type: `${family}-schemas`, version },
        query: { languages: [...new Set([language, 'en'])].join(',') },
      }),
  })

export const newestFirst = (versions: readonly string[]): readonly string[] =>
  versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))

type Owner = Pick<Draft, 'owner' | 'company'>

const newDraft = (
  owner: Owner,
  kind: { readonly family: string; readonly version: string },
  certificate: Json,
): Draft => ({
  ...owner,
  ...kind,
  id: crypto.randomUUID(),
  savedAt: new Date().toISOString(),
  title: '',
  certificate,
  added: {},
})

/** A draft of the minimal certificate of a family. It states that it is valid, because only its form is a draft. */
export const beginEmpty = async (
  queries: QueryClient,
  owner: Owner,
  { family, version }: { readonly family: string; readonly version: string | undefined },
): Promise<Draft> => {
  const known = version ?? newestFirst((await api.listCertificateSchemas())[`${family}-schemas`] ?? [])[0]
  if (known === undefined) throw new Error(`There is no family ${family}`)
  const { template } = await queries.fetchQuery(formQuery(family, known, currentLanguage()))
  return newDraft(owner, { family, version: known }, asValid(template as Json))
}

const asValid = (certificate: Json): Json => {
  const metadata = isObject(certificate) ? certificate['DocumentMetadata'] : undefined
  return isObject(metadata) && metadata['state'] === 'draft'
    ? (withValue(certificate, ['DocumentMetadata', 'state'], 'valid') ?? certificate)
    : certificate
}

/** A draft with everything of a former certificate but its number and its ids. */
export const beginLike = async (
  owner: Owner,
  { from: id, replaces }: { readonly from: string; readonly replaces: string | undefined },
): Promise<Draft> => {
  const { company } = owner
  const [former, file] = await Promise.all([
    api.readCertificate({ params: { id }, company }),
    api.readCertificateJson({ params: { id }, company }),
  ])
  const kind = kindOf(former.refSchemaUrl)
  if (kind === undefined) throw new Error('The schema of the certificate has no family')
  const { schema } = await api.readCertificateForm({
    params: { type: `${kind.family}-schemas`, version: kind.version },
    query: { languages: 'en' },
  })
  const certificate = readJson(await file.text())
  const draft = newDraft(
    owner,
    kind,
    renumbered(asLists(schema as Schema, [schema as Schema], certificate), former),
  )
  return replaces === undefined ? draft : { ...draft, replaces }
}

/** The form has a table where a certificate may have one element or a list of them. */
const asLists = (root: Schema, schemas: Schemas, value: Json): Json => {
  const shape = shapeOf(root, schemas, value)
  if (isList(value)) return value.map((each) => asLists(root, schemasAt(shape, ''), each))
  if (!isObject(value)) return value
  const empty = shapeOf(root, schemas)
  if (empty.kind === 'list' && shape.kind === 'object') return [asLists(root, empty.items, value)]
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, asLists(root, schemasAt(shape, name), each)]),
  )
}

const renumbered = (certificate: Json, { summary }: Certificate): Json => {
  let next: Json = certificate
  const write = (pointer: string, value: Json | undefined): void => {
    next = withValue(next, partsOf(pointer), value) ?? {}
  }
  const number = leavesOf(certificate).find(([, value]) => value === summary?.identifier)
  if (number !== undefined) write(number[0], undefined)
  for (const pointer of ['/Uuid', '/DocumentMetadata/id'])
    if (leavesOf(certificate).some(([each]) => each === pointer)) write(pointer, crypto.randomUUID())
  return next
}

/** The place where a certificate names the languages of its paper. */
export const languagesPointer = (certificate: Json): string | undefined =>
  leavesOf(certificate)
    .map(([pointer]) => pointer)
    .find((pointer) => /\/(?:CertificateLanguages|Languages)\/0$/.test(pointer))
    ?.replace(/\/0$/, '')

/** The values that the form fills in by itself, so that nobody is asked for them. */
export const givenIn = (certificate: Json): ReadonlySet<string> => {
  const names = ['RefSchemaUrl', 'DocumentMetadata', 'Uuid'].filter(
    (name) => isObject(certificate) && certificate[name] !== undefined,
  )
  const languages = languagesPointer(certificate)
  return new Set([...names.map((name) => below('', name)), ...(languages === undefined ? [] : [languages])])
}

/** A name for the list of drafts that a person recognizes. */
export const titleOf = (certificate: Json): string => {
  const texts = leavesOf(certificate).flatMap(([pointer, value]) =>
    typeof value === 'string' ? [[pointer, value] as const] : [],
  )
  const first = (pattern: RegExp): string | undefined => texts.find(([pointer]) => pattern.test(pointer))?.[1]
  const number = first(/\/A03$/) ?? first(/^\/[^/]+\/Id$/) ?? first(/^\/Id$/)
  const customer =
    first(/\/(?:A06[^/]*|Customer)\/(?:Name|CompanyName)$/) ?? first(/\/Parties\/1\/PartyName$/)
  return [number, customer].filter((text) => text !== undefined && text !== '').join(' · ')
}
