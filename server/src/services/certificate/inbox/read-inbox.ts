import {
  type Mode,
  type InboxCounts,
  type InboxEntry,
  limits,
  type operations,
  type ReadInboxEntry,
} from '@millseal/contract'
import type { Call, Content } from '../../../http/binding.ts'
import { listPage } from '../../../http/page.ts'
import { Problem } from '../../../lib/problem.ts'
import { mayReceive } from '../certificates/may-receive.ts'
import { readTextParameter } from '../certificates/text-parameter.ts'
import type { CertificateDependencies } from '../dependencies.ts'
import { filterKey } from './filter-key.ts'
import { toInboxEntries, toReadEntry } from './inbox-response.ts'
import { countEntries } from './counts.store.ts'
import {
  findEntryPage,
  findFiles,
  findListedEntries,
  type InboxScope,
  type ListedEntry,
} from './inbox.store.ts'

export const scopeOf = async (deps: CertificateDependencies, companyId: string): Promise<InboxScope> => ({
  companyId,
  mayReceive: await mayReceive(deps, companyId),
})

export const listInbox = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.listInbox>,
): Promise<InboxEntry[]> => {
  const { state, advice, supplier, number, heat, text } = call.query
  const key = (value: string | undefined) => (value === undefined ? undefined : filterKey(value))
  const filter = {
    ...(await scopeOf(deps, call.companyId)),
    mode: call.mode,
    state,
    advice,
    supplier: key(supplier),
    number: key(number),
    heat: key(heat),
    text: text === undefined ? undefined : readTextParameter(text),
  }
  const found = await listPage(
    call,
    (page) => findEntryPage(deps.database.query, filter, page),
    ({ id }) => id,
  )
  return toInboxEntries(deps, found)
}

export const countInbox = async (
  deps: CertificateDependencies,
  { companyId, mode }: Call<typeof operations.countInbox>,
): Promise<InboxCounts> =>
  countEntries(deps.database.query, {
    ...(await scopeOf(deps, companyId)),
    mode,
    atMost: limits.countedPerState,
  })

export const requireEntry = async (
  deps: CertificateDependencies,
  {
    companyId,
    assertRecordMode,
  }: { readonly companyId: string; readonly assertRecordMode: (mode: Mode) => void },
  id: string,
): Promise<ListedEntry> => {
  const [found] = await findListedEntries(deps.database.query, await scopeOf(deps, companyId), [id])
  if (found === undefined) throw new Problem('not_found')
  assertRecordMode(found.mode)
  return found
}

export const readInboxEntry = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.readInboxEntry>,
): Promise<ReadInboxEntry> => toReadEntry(deps, await requireEntry(deps, call, call.params.id))

export const readInboxFile = async (
  deps: CertificateDependencies,
  call: Call<typeof operations.readInboxFile>,
): Promise<Content> => {
  const entry = await requireEntry(deps, call, call.params.id)
  const { type } = call.query
  const bytes = (await findFiles(deps.database.query, entry))[type === 'pdf' ? 'pdf' : 'body']
  if (bytes === null) throw new Problem('not_found')
  return { type: type === 'pdf' ? 'application/pdf' : 'application/json; charset=utf-8', bytes }
}
