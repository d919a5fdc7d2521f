import type { Certificate } from '@millseal/contract'
import { api, ApiError } from '../../../api/client.ts'
import { kindOf } from '../data/kind.ts'
import { numberOf } from '../data/number.ts'
import { forEachOf, patiently } from '../data/patiently.ts'
import { fileNameOf } from '../../../ui/save-file.ts'
import type { ZipFile } from '../data/zip.ts'
import { shownStateOf } from '../data/certificate-state.tsx'
import { type ListScope, readPage } from './list-query.ts'

const exportPage = 1_000

/** Every certificate that the search finds, also those that nobody has scrolled to. */
export const readAll = async (
  scope: ListScope,
  { signal, onPage }: { readonly signal: AbortSignal; readonly onPage: (count: number) => void },
): Promise<Certificate[]> => {
  const found: Certificate[] = []
  let after: string | undefined
  do {
    const cursor = after
    const page = await patiently(() => readPage(scope, { after: cursor, limit: exportPage, signal }), signal)
    found.push(...page.rows)
    onPage(found.length)
    after = page.next
  } while (after !== undefined)
  return found
}

export const rowsForCsv = (
  certificates: readonly Certificate[],
  words: {
    readonly columns: readonly string[]
    readonly states: Readonly<Record<ReturnType<typeof shownStateOf>, string>>
    readonly kindName: (refSchemaUrl: string) => string
    readonly nameOfIdentity: (id: string) => string | undefined
  },
): string[][] => [
  [...words.columns],
  ...certificates.map((one) => [
    one.summary?.identifier ?? '',
    words.kindName(one.refSchemaUrl),
    kindOf(one.refSchemaUrl)?.version ?? '',
    one.summary?.sellerName ?? '',
    one.summary?.buyerName ?? '',
    one.summary?.orderNumber ?? '',
    one.summary?.orderPosition ?? '',
    one.summary?.deliveryNumber ?? '',
    one.summary?.heats?.join(', ') ?? '',
    one.summary?.productDescription ?? '',
    words.nameOfIdentity(one.identity) ?? '',
    words.states[shownStateOf(one)],
    one.createdAt ?? '',
    one.timestamp ?? '',
    one.hash.value,
    one.pdfHash?.value ?? '',
    one.id,
  ]),
]

/** Few enough that the list stays usable. */
const parallel = 4

type Progress = { readonly signal: AbortSignal; readonly onFile: (done: number, all: number) => void }

/** The PDF and the JSON of each. Files that the server has deleted already are left out and counted. */
export const zipOf = async (
  certificates: readonly Pick<Certificate, 'id' | 'state' | 'hash' | 'summary' | 'owner' | 'timestamp'>[],
  { company, signal, onFile }: Progress & { readonly company: string },
): Promise<{ readonly zip: Blob; readonly missing: number }> => {
  const { writeZip } = await import('../data/zip.ts')
  const files: ZipFile[] = []
  let done = 0
  let missing = 0
  const names = new Set<string>()
  const wanted = certificates.flatMap((one) => {
    const base = fileNameOf(numberOf(one as Certificate))
    const name = names.has(base) ? `${base} ${one.id.slice(-8)}` : base
    names.add(name)
    return (['json', 'pdf'] as const).map((kind) => ({ one, kind, name: `${name}.${kind}` }))
  })
  await forEachOf(wanted, parallel, async ({ one, kind, name }) => {
    const call = { params: { id: one.id }, company, signal }
    try {
      const blob = await patiently(
        () => (kind === 'pdf' ? api.readCertificatePdf(call) : api.readCertificateJson(call)),
        signal,
      )
      const bytes = new Uint8Array(await blob.arrayBuffer())
      files.push({ name, bytes, time: new Date(one.timestamp ?? Date.now()) })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 401) throw error
      missing += 1
    }
    done += 1
    onFile(done, wanted.length)
  })
  return { zip: await writeZip(files.toSorted((a, b) => (a.name < b.name ? -1 : 1))), missing }
}
