import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type Operation, operations } from '../../contract/src/index.ts'

const root = join(import.meta.dirname, '../../console/src')

/** Fields that the console does not send on purpose. */
const left: Readonly<Record<string, readonly string[]>> = {
  // A client stores here that the person has seen its introduction; the console has none.
  updateUser: ['onBoarded'],
  // The sample is enough.
  previewLook: ['certificate'],
  // The desk compares with the order that a certificate names.
  checkCertificate: ['item'],
  // Clients of the earlier variant send them; the form decides them.
  createHook: ['description', 'contentType', 'enableSSL'],
  updateHook: ['description', 'contentType', 'enableSSL'],
  tryHook: ['contentType', 'enableSSL'],
}

const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !path.startsWith('texts/') && !path.includes('.test.'))
  .map((path) => ({ folder: dirname(path), text: readFileSync(join(root, path), 'utf8') }))

const fieldsOf = ({ body }: Operation): readonly string[] =>
  body?.kind === 'json' ? Object.keys((body.schema as { readonly properties?: object }).properties ?? {}) : []

/** Fields of the body that no file beside a caller of the operation names. */
const missingFrom = (name: string, fields: readonly string[]): readonly string[] => {
  const calls = new RegExp(`\\b(?:api|client)\\.${name}\\b|'${name}'`)
  const folders = new Set(sources.filter(({ text }) => calls.test(text)).map(({ folder }) => folder))
  if (folders.size === 0) return []
  const near = sources.filter(({ folder }) => folders.has(folder)).map(({ text }) => text)
  return fields.filter((field) => !near.some((text) => new RegExp(`\\b${field}\\b`).test(text)))
}

test('the console sends every field of a body, or the field is left out on purpose', () => {
  for (const [name, operation] of Object.entries<Operation>(operations))
    assert.deepEqual(
      missingFrom(name, fieldsOf(operation)),
      left[name] ?? [],
      `${name}: add the field to its form in console/src/screens, or to the list in this test`,
    )
  assert.deepEqual(missingFrom('createApplication', ['name', 'contactOfNobody']), ['contactOfNobody'])
})
