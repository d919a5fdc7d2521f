import assert from 'node:assert/strict'
import { createRegistry } from '@millseal/families'

const ownSchemas = createRegistry({ log: { warn: assert.fail } })

/** The own schema that certificates with this name are checked with, as answers tell it. */
export const checkedByOwn = async (schema: string) => {
  const entry = await ownSchemas.find(schema)
  assert.ok(entry)
  return { schema, origin: 'own', revision: entry.revision } as const
}
