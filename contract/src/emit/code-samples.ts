import type { TObject } from 'typebox'
import type { Body, DocumentType, Operation } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { exampleOf } from './example.ts'
import { isForm } from './prose.ts'

/** The commands of our command line that do the same, by operation. A test of the command line parses them. */
const commands: Readonly<Record<string, string>> = {
  'certificates.notarize': 'millseal notarize certificate.json --identity "$IDENTITY" --mode test --wait',
  'certificates.validate': 'millseal validate certificate.json',
  'certificates.verify': 'millseal verify certificate.json',
  'certificates.withdraw': 'millseal withdraw "$ID" --mode test --reason "$REASON"',
  'certificates.replace': 'millseal replace "$ID" "$REPLACED_BY" --mode test --reason "$REASON"',
  'tokens.create': 'millseal token',
  'packs.import': 'millseal schemas add schemas.zip',
  'packs.list': 'millseal schemas list',
  'packs.remove': 'millseal schemas remove "$NAME"',
}

const fileNames: Readonly<Record<DocumentType, string>> = {
  'application/json': 'certificate.json',
  'application/pdf': 'certificate.pdf',
  'text/csv': 'list.csv',
  'application/x-ndjson': 'certificates.ndjson',
  'application/zip': 'schemas.zip',
  'application/gzip': 'schemas.tar.gz',
  'image/png': 'logo.png',
  'image/jpeg': 'logo.jpg',
}

const namesById = new Map(Object.entries(operations).map(([name, { id }]) => [id as string, name]))

/** How to call an operation from a shell, with the SDK and, if it has a command for it, with the command line. */
export const codeSamplesOf = (operation: Operation) => {
  const command = commands[operation.id]
  return [
    { lang: 'shell', label: 'curl', source: curlOf(operation) },
    { lang: 'js', label: 'SDK', source: sdkOf(operation) },
    ...(command === undefined ? [] : [{ lang: 'shell', label: 'CLI', source: command }]),
  ]
}

/** `replacedBy` is REPLACED_BY. */
const variableOf = (name: string): string =>
  `$${name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase()}`

const requiredOf = (schema: TObject | undefined): readonly string[] => schema?.required ?? []

const queryOf = ({ query, mode, access }: Operation): readonly string[] => [
  ...(mode === 'query' ? ['mode'] : []),
  ...requiredOf(query).filter((name) => name !== 'mode'),
  ...(access === 'link' ? ['token'] : []),
]

const addressOf = (operation: Operation): string => {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => variableOf(name))
  const query = queryOf(operation).map((name) => `${name}=${name === 'mode' ? 'test' : variableOf(name)}`)
  return `$MILLSEAL_SERVER/api${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

const needsCompany = ({ access, company }: Operation): boolean => access === 'user' && company === 'required'

const curlOf = (operation: Operation): string => {
  const { method, access, body, answer } = operation
  const parts = [`curl "${addressOf(operation)}"`]
  if (method !== (body === undefined ? 'GET' : 'POST'))
    parts[0] = `curl -X ${method} "${addressOf(operation)}"`
  if (access === 'user' || access === 'bearer') parts.push('-H "authorization: Bearer $TOKEN"')
  if (access === 'refresh') parts.push('-H "refresh: Bearer $REFRESH_TOKEN"')
  if (needsCompany(operation)) parts.push('-H "company: $COMPANY"')
  if (body !== undefined) parts.push(...curlBody(operation, body))
  if (answer.kind === 'content') parts.push('-OJ')
  return parts.join(' \\\n  ')
}

const curlBody = (operation: Operation, body: Body): readonly string[] => {
  if (body.kind === 'document') {
    const [type] = body.accepts
    if (type === undefined) return []
    if (!isForm(operation)) return [`-H "content-type: ${type}"`, `--data-binary @${fileNames[type]}`]
    const fields = requiredOf(body.fields).map((name) => `-F "${name}=${variableOf(name)}"`)
    return [`-F file=@${fileNames[type]}`, ...fields]
  }
  const example = exampleOf(body.schema)
  if (body.kind === 'json') return ['-H "content-type: application/json"', `-d '${JSON.stringify(example)}'`]
  return Object.entries(example as Readonly<Record<string, string>>).map(
    ([name, value]) => `-d ${name}=${value}`,
  )
}

const sdkOf = (operation: Operation): string => {
  const { params, body } = operation
  const query = queryOf(operation).map((name) => (name === 'mode' ? "mode: 'test'" : shorthand(name)))
  const given = [
    ...(needsCompany(operation) ? ['company'] : []),
    ...(params === undefined ? [] : [`params: { ${Object.keys(params.properties).join(', ')} }`]),
    ...(query.length === 0 ? [] : [`query: { ${query.join(', ')} }`]),
    ...(body === undefined ? [] : [sdkBody(body)]),
  ]
  const call = given.length === 0 ? '' : `{\n  ${given.join(',\n  ')},\n}`
  return `const answer = await millseal.${namesById.get(operation.id) ?? operation.id}(${call})`
}

const shorthand = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}': value`)

const sdkBody = (body: Body): string => {
  if (body.kind !== 'document') return `body: ${JSON.stringify(exampleOf(body.schema))}`
  return `document: new Blob([bytes], { type: '${body.accepts[0] ?? ''}' })`
}
