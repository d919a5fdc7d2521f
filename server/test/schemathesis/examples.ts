import { readFile } from 'node:fs/promises'
import type { Side } from '../belongings.ts'
import { sampleCertificate } from '../certificates.ts'

type Content = Readonly<Record<string, { example?: unknown; schema?: unknown }>>
type DocumentedOperation = {
  readonly operationId: string
  security?: readonly object[]
  parameters?: readonly { readonly $ref?: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { links?: unknown }>>
}
/** The parts of the API document that the judge gets in another form. */
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

const listensTo = [{ resource: 'companies', actions: ['update_one'] }]

/** Bodies that an operation must accept. No generator finds a certificate, and ids are those of this server. */
const examplesFor = ({ ids, unsigned }: Side): Readonly<Record<string, unknown>> => ({
  'certificates.hash': { source: sampleCertificate() },
  'certificates.notarize': sampleCertificate(),
  'certificates.notarize_file': sampleCertificate(),
  'certificates.render': sampleCertificate(),
  'certificates.render_file': sampleCertificate(),
  'certificates.validate': sampleCertificate(),
  'certificates.validate_file': sampleCertificate(),
  'certificates.verify': sampleCertificate(),
  'certificates.verify_file': sampleCertificate(),
  'hooks.create': { connectionUrl: 'https://receiver.invalid/hook', mode: 'test', scopes: listensTo },
  'identities.create': { coinType: 822, account: 0, wallet: ids['wallets'] },
  'mailhooks.create': { scopes: listensTo },
  'transactions.sign': unsigned,
})

/** The document with examples, and the operations (`METHOD /path`) that have one. */
export const withExamples = async (
  path: string | URL,
  side: Side,
): Promise<{ readonly document: Document; readonly operations: readonly string[] }> => {
  const document = JSON.parse(await readFile(path, 'utf8')) as Document
  const examples = examplesFor(side)
  const operations: string[] = []
  for (const [address, methods] of Object.entries(document.paths))
    for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
      const content = requestBody?.content['application/json']
      if (content === undefined || !Object.hasOwn(examples, operationId)) continue
      content.example = examples[operationId]
      operations.push(`${method.toUpperCase()} ${address}`)
    }
  return { document, operations }
}
